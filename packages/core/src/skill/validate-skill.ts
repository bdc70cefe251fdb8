import type { Diagnostic } from "../diagnostic.js";
import { splitFrontmatter } from "./frontmatter.js";
import { parseSkill } from "./parse-skill.js";
import { readHeader } from "./read-header.js";

const STANDARD_FIELDS = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);

/**
 * Judges SKILL.md by the letter of the standard, for authors: what a client would shrug off is an error here.
 * An empty result means valid. Codes are stable, such as `field.unknown`.
 */
export function validateSkill(text: string, options: { directoryName: string }): readonly Diagnostic[] {
  const read = parseSkill(text, options);
  const { header } = splitFrontmatter(text);
  const fields = header === undefined ? undefined : readHeader(header)?.fields;
  const findings = read.diagnostics.map((finding): Diagnostic => ({ ...finding, severity: "error" }));
  if (!fields) return findings;
  for (const field of Object.keys(fields))
    if (!STANDARD_FIELDS.has(field))
      findings.push(
        finding("field.unknown", `The field "${field}" is not in the standard.`, "Move it into `metadata`."),
      );
  return [...findings, ...optionalFieldFindings(fields)];
}

function* optionalFieldFindings(fields: Readonly<Record<string, unknown>>): Generator<Diagnostic> {
  const compatibility = fields["compatibility"];
  if (
    compatibility !== undefined &&
    (typeof compatibility !== "string" || !/^.{1,500}$/su.test(compatibility.trim()))
  )
    yield finding(
      "compatibility.too-long",
      "`compatibility` is not a text of 1 to 500 characters.",
      "Shorten or drop it.",
    );
  if (fields["license"] !== undefined && typeof fields["license"] !== "string")
    yield finding("license.not-string", "`license` is not text.", "Write a short name, such as MIT.");
  if (fields["allowed-tools"] !== undefined && typeof fields["allowed-tools"] !== "string")
    yield finding(
      "allowed-tools.not-string",
      "`allowed-tools` is not text.",
      "Write the tools with spaces between.",
    );
  yield* metadataFindings(fields["metadata"]);
}

function* metadataFindings(metadata: unknown): Generator<Diagnostic> {
  if (metadata === undefined || metadata === null) return;
  if (typeof metadata !== "object" || Array.isArray(metadata))
    return yield finding(
      "metadata.not-mapping",
      "`metadata` is not a map.",
      "Write `key: value` lines below it.",
    );
  for (const [key, value] of Object.entries(metadata))
    if (typeof value === "object" && value !== null)
      yield finding(
        "metadata.value-not-string",
        `\`metadata.${key}\` is not text.`,
        "Write it as one quoted text.",
      );
}

function finding(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint, path: "SKILL.md" };
}
