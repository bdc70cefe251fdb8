import type { Severity } from "@skillwright/core";
import type { Style } from "./style.js";

/** Seven columns wide. */
export function severityWord(severity: Severity, style: Style): string {
  switch (severity) {
    case "error":
      return style.red("error  ");
    case "warning":
      return style.yellow("warning");
    case "info":
      return style.cyan("info   ");
  }
}
