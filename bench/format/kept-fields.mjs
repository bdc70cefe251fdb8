import { inspect } from "node:util";

/** A skill whose body and unknown fields can be found in the result of any reader. */
export const probeSkill = `---
name: probe
description: Shows what a reader keeps.
x-unknown: unknown-field-kept
---
# Probe

body-kept
`;

/** Which parts of the probe are in the result: the body, a field that the standard does not know. */
export function keptFields(result) {
  const shown = inspect(result, { depth: 8, maxArrayLength: null, maxStringLength: null });
  return { body: shown.includes("body-kept"), unknown: shown.includes("unknown-field-kept") };
}
