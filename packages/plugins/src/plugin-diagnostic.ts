import type { Diagnostic, Severity } from "@skillwright/core";
import { shownText } from "@skillwright/core/adapter";

/** Creates a diagnostic about a file or folder of a plugin; texts of the plugin are shown as `shownText` gives them. */
export function pluginDiagnostic(
  [code, severity]: readonly [code: string, severity: Severity],
  message: string,
  hint: string,
  path: string,
): Diagnostic {
  return { code, severity, message: shownText(message), hint: shownText(hint), path: shownText(path) };
}
