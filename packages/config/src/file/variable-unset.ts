import type { Diagnostic } from "@skillwright/core";

/** @param name The variable that the field refers to. */
export function variableUnset(field: string, name: string): Diagnostic {
  return {
    code: "configuration.variable-unset",
    severity: "warning",
    message: `\`${field}\` is left out: the variable ${JSON.stringify(name)} that it refers to is not set.`,
    hint: "Set the variable in the environment of this program.",
  };
}
