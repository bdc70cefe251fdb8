import type { Diagnostic } from "../diagnostic.js";
import { optionalFieldDiagnostics } from "./optional-fields.js";
import { readDescription } from "./skill-description.js";
import { readSkillDocument } from "./skill-document.js";
import { readName } from "./skill-name.js";

/**
 * Judges SKILL.md by the letter of the standard, for authors: what a client would shrug off is an error here. The file is
 * valid when there is no finding of severity `error`; `info` is advice. Codes are stable, such as `field.unknown`, and
 * findings carry line and column. Where the header is not valid YAML, that is the only error about it.
 *
 * @param content Text, or the file's bytes; only from bytes can be told that they are not UTF-8.
 */
export function validateSkill(
  content: string | Uint8Array,
  options: { directoryName: string },
): readonly Diagnostic[] {
  const { header, encoding } = readSkillDocument(content);
  if ("unusable" in header) return strictly([...encoding, header.unusable]);
  if (header.strict.length > 0) return strictly([...encoding, ...header.strict]);
  return strictly([
    ...encoding,
    ...readName(header.entries.get("name"), options.directoryName).diagnostics,
    ...readDescription(header.entries.get("description")).diagnostics,
    ...optionalFieldDiagnostics(header.entries),
  ]);
}

function strictly(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return findings.map((finding) =>
    finding.severity === "warning" ? { ...finding, severity: "error" } : finding,
  );
}
