import type { Diagnostic, SessionState } from "@skillwright/core";
import { shownText, withSkillDirectory } from "@skillwright/core/adapter";
import { xmlAttribute } from "../overview/one-line.js";
import { loadedNames } from "./loaded-names.js";

export interface LoadedTexts {
  /** Markdown bodies by skill name. */
  readonly bodies: ReadonlyMap<string, string>;
  /** Texts of selected documents by path, by skill name. */
  readonly documents: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The bodies and documents of the loaded skills, by name, each in a tag that its text cannot close. */
export function loadedBodies(
  { skills }: { readonly skills: readonly { readonly name: string }[] },
  state: SessionState,
  { bodies, documents }: LoadedTexts,
  /** Skills to leave out, because the model already sees them. */
  present: ReadonlySet<string> = new Set(),
): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
  const texts: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const known = new Set(skills.map(({ name }) => name));
  for (const name of loadedNames(state)
    .filter((one) => !present.has(one))
    .sort()) {
    const body = bodies.get(name);
    if (body === undefined || !known.has(name)) diagnostics.push(missing(name));
    else {
      texts.push(wrapped("loaded_skill", `name="${xmlAttribute(name)}"`, withSkillDirectory(body)));
      for (const [path, text] of [...(documents.get(name) ?? [])].sort(byPath))
        texts.push(
          wrapped("loaded_document", `skill="${xmlAttribute(name)}" path="${xmlAttribute(path)}"`, text),
        );
    }
  }
  return { text: texts.join("\n\n"), diagnostics };
}

const TAGS = /<(?=\/?\s*loaded_(?:skill|document)\b)/gi;

function wrapped(tag: string, attributes: string, text: string): string {
  return `<${tag} ${attributes}>\n${shownText(text).replace(TAGS, "&lt;")}\n</${tag}>`;
}

function byPath([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return Number(a > b) - Number(a < b);
}

function missing(name: string): Diagnostic {
  return {
    code: "loaded.body-missing",
    severity: "warning",
    message: `The skill "${name}" is loaded in this session, but its text is not available.`,
    hint: "Give its body in `bodies`, or load it again.",
  };
}
