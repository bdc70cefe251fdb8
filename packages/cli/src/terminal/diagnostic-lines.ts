import type { Diagnostic } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { severityWord } from "./severity-word.js";
import type { Style } from "./style.js";

/** A diagnostic in two lines: what happened and where, then the remedy. */
export function diagnosticLines(diagnostic: Diagnostic, style: Style): readonly string[] {
  const { code, severity, message, hint, line, column } = diagnostic;
  const place = line === undefined ? "" : style.dim(` ${line}:${column ?? 1}`);
  return [
    `  ${severityWord(severity, style)}${place} ${shownLine(message)} ${style.dim(code)}`,
    `          ${style.dim(shownLine(hint))}`,
  ];
}
