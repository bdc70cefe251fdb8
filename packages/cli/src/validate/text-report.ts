import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { shortNeedsText } from "../environments/packages-text.js";
import type { Style } from "../terminal/style.js";
import { findingLines } from "./finding-lines.js";
import type { JudgedSkill } from "./judged-skill.js";
import { nothingFound, resultSummary, ruleCounts } from "./result-summary.js";
import type { ReportOptions, ValidationReport } from "./validation-report.js";

/** For people: findings and needs as they are found, without skills that have none; ends with a summary line. */
export function textReport(context: CliContext, { paths, quiet }: ReportOptions): ValidationReport {
  const { style } = context;
  return {
    skill: (judged) => context.print(...findingLines(judged, context), ...needsLines(judged, style)),
    end(result) {
      if (result.totals.skills > 0)
        context.print(...ruleCounts(result, quiet, style), resultSummary(result, style));
      else context.print(`${style.red("error")} ${shownLine(nothingFound(paths))}`);
    },
  };
}

function needsLines({ path, needs }: JudgedSkill, style: Style): readonly string[] {
  const lines = needs ? shortNeedsText(needs, style) : [];
  return lines.length === 0 ? [] : [`${style.bold(shownLine(path))} needs`, ...lines, ""];
}
