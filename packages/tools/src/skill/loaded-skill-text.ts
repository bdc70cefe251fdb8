import {
  type Diagnostic,
  isSkillDocument,
  type Skill,
  type SkillOrigin,
  skillFields,
} from "@skillwright/core";
import { withSkillDirectory } from "@skillwright/core/adapter";
import { parametersJson } from "../executable/value-schema.js";
import { namedToolsLine } from "./named-tools.js";
import { wrappedText } from "./wrapped-text.js";

const MAX_BODY_CHARACTERS = 256 * 1024;
const MAX_NAMES = 50;

export interface LoadedTextOptions {
  /** True where commands of the skill may run: its directory and all its files are then listed. */
  readonly runs: boolean;
  /** True where `skill_read` opens any file: all are then listed together. */
  readonly reads?: boolean;
  /** True where `skill_call` is available: the parameters of an executable skill are then listed. */
  readonly calls?: boolean;
}

/** The body and the tools that the skill names in its tag, then the skill's other files by name, at most 50 of each kind. */
export function loadedSkillText(
  skill: Skill & SkillOrigin,
  { runs, reads = false, calls = false }: LoadedTextOptions,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const { name, source, manifest } = skill;
  const body = withSkillDirectory(skill.body);
  const cut = body.length > MAX_BODY_CHARACTERS;
  const shown = cut ? body.slice(0, MAX_BODY_CHARACTERS).replace(/[\ud800-\udbff]$/, "") : body;
  const tools = namedToolsLine(skill.frontmatter, runs);
  const paths = manifest.files.map(({ path }) => path).filter((path) => path !== "SKILL.md");
  const lines = [
    wrappedText(
      "loaded_skill",
      { name, source, ...(runs ? { directory: `skills/${name}` } : {}) },
      [shown, tools].filter((part) => part !== "").join("\n\n"),
    ),
    cut ? `Note: ${cutMessage(name)}` : "",
    calls ? callHint(skill) : "",
    ...(reads ? [named("Files", paths, "skill_read names more")] : fileLists(paths, runs)),
  ];
  return { text: lines.filter((line) => line !== "").join("\n"), diagnostics: cut ? [bodyCut(name)] : [] };
}

function callHint({ frontmatter }: Skill): string {
  const { executable, parameters } = skillFields(frontmatter);
  if (!executable) return "";
  return `Call it with skill_call. Its parameters: ${JSON.stringify(parametersJson(parameters))}`;
}

function fileLists(paths: readonly string[], runs: boolean): readonly string[] {
  const others = paths.filter((path) => !isSkillDocument(path));
  return [
    named("Documents", paths.filter(isSkillDocument), "skill_list_docs names them all"),
    runs ? named("Files", others, "list the directory") : "",
  ];
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
    hint: "Move details from SKILL.md into separate documents.",
  };
}
