import { yaml } from "#yaml";
import { SkillError } from "../skill-error.js";
import { parseSkill } from "./parse-skill.js";

/** The data that an author writes: the six fields of the standard and the text. */
export interface SkillText {
  readonly name: string;
  /** A single line. */
  readonly description: string;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  /** Markdown. Surrounding white space is not kept. */
  readonly body: string;
}

/**
 * Serializes SKILL.md with the six fields of the standard in its order, in block style, with LF line ends. Equal skills
 * give equal bytes, and `parseSkill` returns the same values.
 * @throws SkillError `INPUT_INVALID` for a field that would not be read back unchanged: an empty name, a description on
 * two lines, a tool with a space outside its parentheses.
 */
export function serializeSkill(skill: SkillText): string {
  const body = skill.body.replace(/\r\n?/g, "\n").trim();
  const text = `${serializedHeader(skill)}${body === "" ? "" : `\n${body}\n`}`;
  if (readBack(text, skill).body !== body) throw unreadable("body");
  return text;
}

/**
 * Returns the header with its two lines of dashes, to be followed by any body. @throws SkillError as `serializeSkill`.
 */
export function serializedHeader(skill: Omit<SkillText, "body">): string {
  const { name, description, license, compatibility, metadata = {}, allowedTools = [] } = skill;
  const fields = [
    field({ name }),
    yaml().dump({ description }, { ...LINES, forceQuotes: true }),
    ...(license ? [field({ license })] : []),
    ...(compatibility ? [field({ compatibility })] : []),
    ...(Object.keys(metadata).length > 0 ? [yaml().dump({ metadata }, { ...LINES, forceQuotes: true })] : []),
    ...(allowedTools.length > 0 ? [field({ "allowed-tools": allowedTools.join(" ") })] : []),
  ];
  const header = `---\n${fields.join("")}---\n`;
  readBack(header, skill);
  return header;
}

/**
 * Long lines are not folded, since not every reader unfolds them. Double quotes follow JSON, which every reader knows.
 */
const LINES = { lineWidth: -1, quoteStyle: "double", sortKeys: true, flowLevel: -1 } as const;

function field(entry: Readonly<Record<string, string>>): string {
  return yaml().dump(entry, LINES);
}

function readBack(text: string, wanted: Omit<SkillText, "body">): { readonly body: string } {
  const { skill } = parseSkill(text, { directoryName: "" });
  if (!skill) throw unreadable("description");
  if (skill.name === "") throw unreadable("name");
  const read: Readonly<Record<string, unknown>> = { ...skill.fields, ...skill };
  const expected: Readonly<Record<string, unknown>> = {
    name: wanted.name,
    description: wanted.description,
    license: wanted.license || undefined,
    compatibility: wanted.compatibility || undefined,
    metadata: wanted.metadata ?? {},
    allowedTools: wanted.allowedTools ?? [],
  };
  for (const [name, value] of Object.entries(expected))
    if (canonical(read[name]) !== canonical(value)) throw unreadable(name);
  return skill;
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value) ?? "";
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function unreadable(name: string): SkillError {
  const rule = RULES.get(name) ?? "Write it without surrounding white space and without control characters.";
  return new SkillError("INPUT_INVALID", `The ${name} would change when it is read back. ${rule}`, {
    details: { field: name },
  });
}

const RULES = new Map([
  ["name", "Use 1 to 64 lower-case letters, digits and single hyphens."],
  ["description", "Write it on one line, with one space between words."],
  ["allowedTools", "Write each tool without spaces and commas outside its parentheses."],
]);
