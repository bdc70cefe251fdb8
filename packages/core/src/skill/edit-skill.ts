import type { Diagnostic } from "../diagnostic.js";
import type { JsonValue } from "../json-value.js";
import { SkillError } from "../skill-error.js";
import { STANDARD_FIELDS } from "./optional-fields.js";
import { parseSkill } from "./parse-skill.js";
import { type SkillText, serializedHeader } from "./serialize-skill.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";

export interface EditedSkill {
  readonly content: Uint8Array;
  /** One for each field that the standard does not know and that was moved into `metadata`. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * SKILL.md with some of its fields or its text changed. The header is written anew as `serializeSkill` does, and stays byte
 * for byte where only `body` is given; what follows it stays byte for byte where no `body` is. Fields that the standard
 * does not know go into `metadata` as text, under `frontmatter.<field>`, where `parseSkill` finds the typed ones again.
 * @throws SkillError `SKILL_INVALID` where the file cannot be loaded, `INPUT_INVALID` as `serializeSkill`.
 */
export function editSkill(
  content: string | Uint8Array,
  changes: Partial<SkillText>,
  options: { directoryName: string },
): EditedSkill {
  const { skill, diagnostics } = parseSkill(content, options);
  if (!skill) {
    const reason = diagnostics.find(({ severity }) => severity === "error");
    throw new SkillError("SKILL_INVALID", `SKILL.md cannot be edited. ${reason?.message} ${reason?.hint}`);
  }
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const { body, ...headerChanges } = changes;
  const text = body === undefined ? bytes.subarray(bodyStart(bytes)) : bodyBytes(body);
  if (body !== undefined && Object.keys(headerChanges).length === 0)
    return {
      content: Buffer.concat([withLineEnd(bytes.subarray(0, bodyStart(bytes))), text]),
      diagnostics: [],
    };
  const { fields, frontmatter } = skill;
  const unknown = Object.entries(frontmatter).filter(([key]) => !STANDARD_FIELDS.has(key));
  const moved = unknown.map(([key, value]) => [`frontmatter.${key}`, asText(value)] as const);
  const metadata = { ...fields.metadata, ...Object.fromEntries(moved) };
  const header = serializedHeader({
    ...fields,
    metadata,
    name: skill.name,
    description: skill.description,
    ...headerChanges,
  });
  return {
    content: Buffer.concat([Buffer.from(header), text]),
    diagnostics: unknown.map(([key]) => movedField(key)),
  };
}

/** As `serializeSkill` writes it. */
function bodyBytes(body: string): Uint8Array {
  const text = body.replace(/\r\n?/g, "\n").trim();
  return Buffer.from(text === "" ? "" : `\n${text}\n`);
}

/** A header that ends with the file may lack the line end after its dashes. */
function withLineEnd(header: Uint8Array): Uint8Array {
  const last = header.at(-1);
  return last === 10 || last === 13 ? header : Buffer.concat([header, Buffer.from("\n")]);
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Where the line after the closing dashes begins. Bytes are looked at as such, so that no encoding is touched. */
function bodyStart(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const closing = /(?:\r\n|\r|\n)---[ \t]*(?:\r\n|\r|\n|$)/.exec(text);
  return closing ? closing.index + closing[0].length : bytes.byteLength;
}

function movedField(key: string): Diagnostic {
  return skillFileDiagnostic(
    "field.moved",
    "info",
    `The field "${key}" is not in the standard; it is now \`metadata.frontmatter.${key}\`.`,
    "Look whether the clients you care for still find it.",
  );
}
