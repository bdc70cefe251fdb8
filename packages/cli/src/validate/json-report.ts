import type { CliContext } from "../cli-context.js";
import type { ReportOptions, ValidationReport } from "./validation-report.js";

/** One JSON document, written incrementally, so that thousands of skills need no memory. */
export function jsonReport(context: CliContext, { profile, lint }: ReportOptions): ValidationReport {
  let isFirst = true;
  const head = JSON.stringify({ formatVersion: 1, profile, lint }, undefined, 2).replace(/\n}$/, "");
  context.stdout.write(`${head},\n  "skills": [`);
  return {
    skill({ path, valid, findings, needs }) {
      const skill = { path, valid, findings: findings.map(({ finding }) => finding), ...needs };
      context.stdout.write(`${isFirst ? "" : ","}\n${indented(skill, "    ")}`);
      isFirst = false;
    },
    end({ totals }) {
      context.print(`${isFirst ? "" : "\n  "}],\n  "summary": ${indented(totals, "  ").trimStart()}\n}`);
    },
  };
}

function indented(value: unknown, indent: string): string {
  return JSON.stringify(value, undefined, 2).replace(/^/gm, indent);
}
