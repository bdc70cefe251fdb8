import type { Diagnostic } from "@skillwright/core";
import type { SecretMasking } from "@skillwright/core/adapter";
import type { SelectedOutput } from "./select-outputs.js";

/**
 * Removes the outputs whose paths contain a secret of the run, since these paths must not appear in a list or store.
 * Each removal is reported.
 */
export function withoutSecretNames(
  selected: readonly SelectedOutput[],
  masking: SecretMasking,
  tell: (diagnostic: Diagnostic) => void,
): readonly SelectedOutput[] {
  return selected.filter(({ file: { path } }) => {
    const shown = masking.text(path);
    if (shown === path) return true;
    tell({
      code: "output.secret-name",
      severity: "warning",
      message: `${shown} is left out of the outputs: its name contains a secret of the run.`,
      hint: "Choose a file name that does not contain the value of the variable.",
      path: shown,
    });
    return false;
  });
}
