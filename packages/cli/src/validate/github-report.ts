import { relative, resolve, sep } from "node:path";
import type { Severity } from "@skillwright/core";
import { shownLine, shownText } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { createStyle } from "../terminal/style.js";
import type { PlacedFinding } from "./judged-skill.js";
import { nothingFound, resultSummary } from "./result-summary.js";
import type { ReportOptions, ValidationReport } from "./validation-report.js";

const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** Workflow commands that GitHub Actions converts to annotations; file paths are relative to its checkout. */
export function githubReport(context: CliContext, { paths }: ReportOptions): ValidationReport {
  const { cwd, env } = context;
  const root = resolve(cwd, env["GITHUB_WORKSPACE"] ?? ".");
  return {
    skill: ({ findings }) => context.print(...findings.map((found) => command(found, cwd, root))),
    end(result) {
      if (result.totals.skills > 0) context.print(resultSummary(result, createStyle(false)));
      else context.print(`::error::${escapedData(nothingFound(paths))}`);
    },
  };
}

function command({ finding, file }: PlacedFinding, cwd: string, root: string): string {
  const { severity, code, message, hint, line, column } = finding;
  const properties = {
    file: relative(root, resolve(cwd, file)).split(sep).join("/"),
    ...(line !== undefined && { line, ...(column !== undefined && { col: column }) }),
    title: code,
  };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`);
  return `::${COMMANDS[severity]} ${written.join(",")}::${escapedData(`${message} ${hint}`)}`;
}

function escapedData(text: string): string {
  return shownLine(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/**
 * Visible characters of a path are kept, so that the file is found; characters that would end the property are escaped.
 */
function escapedProperty(value: string | number): string {
  return shownText(String(value))
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replaceAll(":", "%3A")
    .replaceAll(",", "%2C");
}
