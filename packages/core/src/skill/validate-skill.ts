import type { Diagnostic } from "../diagnostic.js";
import { cutDescription } from "./cut-description.js";
import { optionalFieldDiagnostics } from "./optional-fields.js";
import { parseSkill } from "./parse-skill.js";
import { portableFindings } from "./portable-findings.js";
import { readDescription } from "./skill-description.js";
import { NUL_IN_BODY, readSkillDocument, type SkillDocument } from "./skill-document.js";
import { readName } from "./skill-name.js";

/**
 * The rules to validate SKILL.md by. `spec`: the letter of the standard. `client`: what a lenient client needs to load
 * it; only that is an error, and repairs and guesses are warnings. `portable`: what every known client, registry and
 * validator accepts, including ASCII names and the strictest limits.
 */
export type ValidationProfile = "spec" | "client" | "portable";

export interface ValidateSkillOptions {
  /** Name of the skill's directory, which the skill's name must equal. */
  readonly directoryName: string;
  /** Defaults to `spec`. */
  readonly profile?: ValidationProfile;
}

/**
 * Validates SKILL.md. It is valid when no finding has severity `error`; `info` is advice. Codes are stable, such as
 * `field.unknown`, and findings carry line and column. Where the header is not valid YAML, that is the only error about
 * it in the profiles `spec` and `portable`.
 *
 * @param content Text, or the file's bytes. Invalid UTF-8 can be detected only in bytes.
 */
export function validateSkill(
  content: string | Uint8Array,
  options: ValidateSkillOptions,
): readonly Diagnostic[] {
  const { directoryName, profile = "spec" } = options;
  if (profile === "client") return parseSkill(content, { directoryName }).diagnostics;
  const document = readSkillDocument(content);
  const bySpec = specFindings(document, directoryName);
  if (profile === "spec") return bySpec;
  return [...bySpec.map(refused), ...portable(document, Buffer.byteLength(content))];
}

function specFindings(
  { header, yaml, encoding }: SkillDocument,
  directoryName: string,
): readonly Diagnostic[] {
  // The standard does not restrict the body.
  const ofBody = encoding.filter(isOfBody);
  const ofHeader = encoding.filter((finding) => !isOfBody(finding));
  if ("unusable" in header) return strictly([...encoding, header.unusable]);
  if (header.strict.length > 0) return [...strictly([...ofHeader, ...header.strict]), ...ofBody];
  const byStandard = strictly([
    ...ofHeader,
    ...readName(header.entries, directoryName).diagnostics,
    ...readDescription(header.entries).diagnostics,
    ...optionalFieldDiagnostics(header.entries),
  ]);
  // Valid, but rarely intended.
  return [...byStandard, ...ofBody, ...cutDescription(yaml, header.entries)];
}

function isOfBody({ code }: Diagnostic): boolean {
  return code === NUL_IN_BODY;
}

function strictly(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return findings.map((finding) =>
    finding.severity === "warning" ? { ...finding, severity: "error" } : finding,
  );
}

/** Advice of the standard that some client enforces as a rule. */
const REFUSED_SOMEWHERE = new Set([
  "encoding.bom",
  NUL_IN_BODY,
  "name.non-ascii",
  "allowed-tools.comma-separated",
]);

function refused(finding: Diagnostic): Diagnostic {
  return REFUSED_SOMEWHERE.has(finding.code) ? { ...finding, severity: "error" } : finding;
}

function portable({ header, yaml, body }: SkillDocument, fileBytes: number): readonly Diagnostic[] {
  if ("unusable" in header || header.strict.length > 0) return [];
  return [...portableFindings({ entries: header.entries, yaml, body, fileBytes })];
}
