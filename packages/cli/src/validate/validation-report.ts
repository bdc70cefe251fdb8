import type { Severity } from "@skillwright/core";
import { counted } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { printable } from "../terminal/printable.js";
import type { Style } from "../terminal/style.js";
import type { JudgedSkill } from "./judge-skill-file.js";

/** Findings grouped by file, files without any left out; a summary line ends it. */
export function validationText(
  judged: readonly JudgedSkill[],
  paths: readonly string[],
  style: Style,
): readonly string[] {
  if (judged.length === 0)
    return [`${style.red("error")} There is no SKILL.md in ${paths.map(printable).join(", ")} or below.`];
  const groups = judged
    .filter(({ findings }) => findings.length > 0)
    .flatMap(({ path, findings }) => [
      style.bold(printable(path)),
      ...findings.flatMap((finding) => diagnosticLines(finding, style)),
      "",
    ]);
  return [...groups, summary(judged, style)];
}

export function validationJson(judged: readonly JudgedSkill[]) {
  const valid = judged.filter((skill) => skill.valid).length;
  return {
    formatVersion: 1,
    skills: judged,
    summary: { skills: judged.length, valid, errors: count(judged, "error"), notes: count(judged, "info") },
  };
}

function summary(judged: readonly JudgedSkill[], style: Style): string {
  const invalid = judged.filter(({ valid }) => !valid).length;
  const notes = count(judged, "info");
  const advice = notes > 0 ? `, ${counted(notes, "note")}` : "";
  if (invalid === 0) return `${style.green("✔")} ${counted(judged.length, "skill")} valid${advice}`;
  const errors = counted(count(judged, "error"), "error");
  return `${style.red("✘")} ${invalid} of ${counted(judged.length, "skill")} not valid: ${errors}${advice}`;
}

function count(judged: readonly JudgedSkill[], wanted: Severity): number {
  return judged.flatMap(({ findings }) => findings).filter(({ severity }) => severity === wanted).length;
}
