import { createHash } from "node:crypto";
import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { LintFinding } from "@skillwright/lint";
import type { CliContext } from "../cli-context.js";
import type { PlacedFinding } from "./judged-skill.js";
import { SARIF_LEVELS, type SarifRule, sarifRules } from "./sarif-rules.js";
import type { ReportOptions, ValidationReport } from "./validation-report.js";

const ROOT = "%SRCROOT%";

/** A SARIF 2.1.0 log with one run, in the form that code scanning services accept. */
export function sarifReport(context: CliContext, { lint }: ReportOptions, version: string): ValidationReport {
  const rules = sarifRules(lint);
  const results: object[] = [];
  const occurrences = new Map<string, number>();
  return {
    skill({ findings }) {
      for (const found of findings) results.push(result(found, occurrences, rules.use(found.finding)));
    },
    end() {
      context.print(JSON.stringify(log(rules.all(), results, version), undefined, 2));
    },
  };
}

function log(rules: readonly SarifRule[], results: readonly object[], version: string): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "skillwright", version, rules } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: {
          [ROOT]: { description: { text: "The working directory of the command." } },
        },
        invocations: [{ executionSuccessful: true }],
        results,
      },
    ],
  };
}

function result(
  { finding, file }: PlacedFinding,
  occurrences: Map<string, number>,
  ruleIndex: number,
): object {
  const { code, severity, message, hint, line, column } = finding;
  return {
    ruleId: code,
    ruleIndex,
    level: SARIF_LEVELS[severity],
    message: { text: `${message} ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: artifactLocation(file),
          // Code scanning refuses a result without a line.
          region: { startLine: line ?? 1, ...(line && column && { startColumn: column }) },
        },
      },
    ],
    partialFingerprints: { "skillwrightFinding/v1": fingerprint(finding, file, occurrences) },
  };
}

function artifactLocation(file: string): object {
  if (isAbsolute(file)) return { uri: pathToFileURL(file).href };
  // On some systems a name may contain a lone surrogate, which no URI can represent.
  const parts = file.split(sep).map((part) => encodeURIComponent(Buffer.from(part).toString()));
  return { uri: parts.join("/"), uriBaseId: ROOT };
}

/**
 * Independent of the line number, so that a moved finding keeps its fingerprint; equal findings of a file are
 * distinguished by their order.
 */
function fingerprint(finding: LintFinding, file: string, occurrences: Map<string, number>): string {
  const identity = JSON.stringify([finding.code, file.split(sep).join("/"), finding.message]);
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, 32);
  const earlier = occurrences.get(hash) ?? 0;
  occurrences.set(hash, earlier + 1);
  return `${hash}:${earlier + 1}`;
}
