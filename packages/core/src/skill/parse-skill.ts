import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject } from "../json-value.js";
import { splitFrontmatter } from "./frontmatter.js";
import { MAX_HEADER_CHARACTERS, readHeader, type SkillHeader } from "./read-header.js";
import { nameDiagnostics } from "./skill-name.js";

export interface ParsedSkill {
  readonly name: string;
  readonly description: string;
  readonly frontmatter: JsonObject;
  readonly body: string;
}

export interface ParseSkillResult {
  /** Missing when a client cannot use the file; the diagnostics of severity `error` say why. */
  readonly skill?: ParsedSkill;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads SKILL.md as a careful client does: what can be loaded is loaded, and every repair and guess is a diagnostic.
 * Never throws and never runs anything. Without frontmatter, or without a description, there is no skill; a missing
 * name becomes the name of the folder. Source: the implementers' guide of the Agent Skills standard.
 */
export function parseSkill(text: string, options: { directoryName: string }): ParseSkillResult {
  const { header, unclosed, body } = splitFrontmatter(text);
  if (header === undefined) return { diagnostics: [unclosed ? UNCLOSED : MISSING] };
  const read = readHeader(header);
  if (!read) return { diagnostics: [header.length > MAX_HEADER_CHARACTERS ? TOO_LONG : NOT_MAPPING] };
  const name = textField(read, "name") || options.directoryName;
  const description = textField(read, "description");
  const diagnostics = [
    ...read.diagnostics,
    ...nameDiagnostics(read.fields["name"], name, options.directoryName),
  ];
  if (!description) return { diagnostics: [...diagnostics, descriptionProblem(read)] };
  if ([...description].length > 1024) diagnostics.push(DESCRIPTION_TOO_LONG);
  return { skill: { name, description, frontmatter: read.fields, body }, diagnostics };
}

function textField({ fields, text }: SkillHeader, field: string): string {
  if (fields[field] === null || typeof fields[field] === "object") return "";
  return (text[field] ?? "").trim().replace(/\s+/g, " ");
}

function descriptionProblem({ fields }: SkillHeader): Diagnostic {
  const code = !("description" in fields)
    ? "description.missing"
    : typeof fields["description"] === "object" && fields["description"] !== null
      ? "description.not-string"
      : "description.empty";
  return problem(
    code,
    "The skill has no description.",
    "Add a line `description: what it does and when to use it`.",
  );
}

function problem(
  code: string,
  message: string,
  hint: string,
  severity: "error" | "warning" = "error",
): Diagnostic {
  return { code, severity, message, hint, path: "SKILL.md" };
}

const MISSING = problem(
  "frontmatter.missing",
  "SKILL.md does not begin with frontmatter.",
  "Make its first line `---`, then name and description, then `---`.",
);
const UNCLOSED = problem(
  "frontmatter.unclosed",
  "The frontmatter is never closed.",
  "End it with a line `---`.",
);
const NOT_MAPPING = problem(
  "frontmatter.not-mapping",
  "The frontmatter is not a list of `key: value` lines.",
  "Write `name: ...` and `description: ...`, each on a line of its own.",
);
const TOO_LONG = problem(
  "yaml.resource-limit",
  `The frontmatter is longer than ${MAX_HEADER_CHARACTERS} characters.`,
  "Move long text below the closing `---`.",
);
const DESCRIPTION_TOO_LONG = problem(
  "description.too-long",
  "The description is longer than 1,024 characters.",
  "Shorten it; details belong below the header.",
  "warning",
);
