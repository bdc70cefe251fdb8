import { type Diagnostic, isSkillDocument, type Skill, type SkillOrigin } from "@skillwright/core";
import { wrappedText } from "./wrapped-text.js";

const MAX_BODY_CHARACTERS = 256 * 1024;
const MAX_NAMES = 50;

/** The body in its tag, then the skill's other files by name, 50 of each kind at most. */
export function loadedSkillText(
  skill: Skill & SkillOrigin,
  { runs }: { runs: boolean },
): { text: string; diagnostics: readonly Diagnostic[] } {
  const { name, source, body, manifest } = skill;
  const cut = body.length > MAX_BODY_CHARACTERS;
  const shown = cut ? body.slice(0, MAX_BODY_CHARACTERS).replace(/[\ud800-\udbff]$/, "") : body;
  const paths = manifest.files.map(({ path }) => path).filter((path) => path !== "SKILL.md");
  const lines = [
    wrappedText("loaded_skill", { name, source, ...(runs ? { directory: `skills/${name}` } : {}) }, shown),
    cut ? `Note: ${cutMessage(name)}` : "",
    named("Documents", paths.filter(isSkillDocument), "skill_list_docs names them all"),
    runs
      ? named(
          "Files",
          paths.filter((path) => !isSkillDocument(path)),
          "list the directory",
        )
      : "",
  ];
  return { text: lines.filter((line) => line !== "").join("\n"), diagnostics: cut ? [bodyCut(name)] : [] };
}

function named(title: string, paths: readonly string[], remedy: string): string {
  if (paths.length === 0) return "";
  const others = paths.length - MAX_NAMES;
  const rest = others > 0 ? ` and ${others} more (${remedy})` : "";
  return `${title}: ${paths.slice(0, MAX_NAMES).join(", ")}${rest}`;
}

function cutMessage(name: string): string {
  return `The instructions of "${name}" are cut after ${MAX_BODY_CHARACTERS} characters.`;
}

function bodyCut(name: string): Diagnostic {
  return {
    code: "body.cut",
    severity: "warning",
    message: cutMessage(name),
    hint: "Move details of SKILL.md into documents of their own.",
  };
}
