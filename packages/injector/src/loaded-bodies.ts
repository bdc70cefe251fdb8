import {
  type CatalogSnapshot,
  type Diagnostic,
  type SessionState,
  SKILL_STATE_KEYS,
} from "@skillwright/core";
import { xmlText } from "./one-line.js";

const LOADED = SKILL_STATE_KEYS.loaded("");

/** The bodies of the loaded skills, by name, each in a tag that its text cannot close. */
export function loadedBodies(
  { skills }: CatalogSnapshot,
  state: SessionState,
  bodies: ReadonlyMap<string, string>,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const names = Object.keys(state)
    .filter((key) => key.startsWith(LOADED) && state[key] === "1")
    .map((key) => key.slice(LOADED.length))
    .sort();
  const texts: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of names) {
    const body = bodies.get(name);
    if (body === undefined || !skills.some((skill) => skill.name === name)) diagnostics.push(missing(name));
    else texts.push(`<loaded_skill name="${attribute(name)}">\n${contained(body)}\n</loaded_skill>`);
  }
  return { text: texts.join("\n\n"), diagnostics };
}

function attribute(text: string): string {
  return xmlText(text).replaceAll('"', "&quot;");
}

function contained(body: string): string {
  return body.replace(/<(?=\/?\s*loaded_skill\b)/gi, "&lt;");
}

function missing(name: string): Diagnostic {
  return {
    code: "loaded.body-missing",
    severity: "warning",
    message: `The skill "${name}" is loaded in this session, but its text is not at hand.`,
    hint: "Give its body in `bodies`, or load it again.",
  };
}
