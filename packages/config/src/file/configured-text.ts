import { type Diagnostic, Secret } from "@skillwright/core";
import { secretWeakness, secretWeaknessDiagnostic } from "@skillwright/core/adapter";
import type { Environment } from "../clients/s3-client.js";
import type { ConfiguredText } from "./configuration-file.js";
import { variableUnset } from "./variable-unset.js";

/** The texts by name. One whose variable is not set is left out with a diagnostic. */
export function configuredTexts(
  given: Readonly<Record<string, ConfiguredText>>,
  field: string,
  env: Environment,
  tell: (diagnostic: Diagnostic) => void,
): Readonly<Record<string, string | Secret>> {
  const texts = Object.entries(given).flatMap(([name, one]) => {
    const text = configuredText(one, `${field}.${name}`, env, tell);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(texts);
}

/** The text as written, or the value of its variable as a secret; `undefined`, with a diagnostic, for one that is not set. */
export function configuredText(
  given: ConfiguredText,
  field: string,
  env: Environment,
  tell: (diagnostic: Diagnostic) => void,
): string | Secret | undefined {
  if (typeof given === "string") return given;
  const value = env[given.from];
  if (value) return registeredSecret(value, field, tell);
  tell(variableUnset(field, given.from));
  return undefined;
}

/** The value as a secret, with a diagnostic for one that is too weak to be masked. */
export function registeredSecret(
  value: string,
  field: string,
  tell: (diagnostic: Diagnostic) => void,
): Secret {
  const weakness = secretWeakness(value);
  if (weakness) tell(secretWeaknessDiagnostic(`\`${field}\``, weakness));
  return new Secret(value);
}
