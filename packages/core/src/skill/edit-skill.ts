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
 * SKILL.md with some of its fields changed. The header is written anew as `serializeSkill` does; what follows it stays
 * byte for byte. Fields that the standard does not know go into `metadata` as text, under `frontmatter.<field>`, where
 * `parseSkill` finds the typed ones again.
 * @throws SkillError `SKILL_INVALID` where the file cannot be loaded, `INPUT_INVALID` as `serializeSkill`.
 */
export function editSkill(
  content: string | Uint8Array,
  changes: Partial<Omit<SkillText, "body">>,
  options: { directoryName: string },
): EditedSkill {
  const { skill, diagnostics } = parseSkill(content, options);
  if (!skill) {
    const reason = diagnostics.find(({ severity }) => severity === "error");
    throw new SkillError("SKILL_INVALID", `SKILL.md cannot be edited. ${reason?.message} ${reason?.hint}`);
  }
  const { fields, frontmatter } = skill;
  const unknown = Object.entries(frontmatter).filter(([key]) => !STANDARD_FIELDS.has(key));
  const moved = unknown.map(([key, value]) => [`frontmatter.${key}`, asText(value)] as const);
  const metadata = { ...fields.metadata, ...Object.fromEntries(moved) };
  const header = serializedHeader({
    ...fields,
    metadata,
    name: skill.name,
    description: skill.description,
    ...changes,
  });
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return {
    content: Buffer.concat([Buffer.from(header), bytes.subarray(bodyStart(bytes))]),
    diagnostics: unknown.map(([key]) => movedField(key)),
  };
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
