import { Buffer } from "node:buffer";
import type { Diagnostic } from "../diagnostic.js";
import { MASK } from "../secret.js";
import { SkillError } from "../skill-error.js";
import { variableText } from "./environment.js";
import { PatternAutomaton } from "./pattern-automaton.js";
import type { RunCommand } from "./run-command.js";
import { secretPatterns } from "./secret-patterns.js";
import { secretWeakness, secretWeaknessDiagnostic } from "./secret-strength.js";
import { StreamMasker } from "./stream-masker.js";

/** Masks the secrets of one command in its output, errors and diagnostics. */
export interface SecretMasking {
  /** Creates a masker for one stream; `undefined` where there is nothing to mask. */
  stream(): StreamMasker | undefined;
  text(text: string): string;
  /** The byte strings that are masked. */
  readonly patterns: readonly Uint8Array[];
  diagnostic(diagnostic: Diagnostic): Diagnostic;
  /**
   * Returns the error with secrets masked in its message and details and without its cause. An error without secrets is
   * returned unchanged.
   */
  error(error: unknown): unknown;
  /** Names the variables whose values are too weak to be masked. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Masks the values of the command's `Secret` variables as `***`. Recognised forms: the value itself, each of its lines,
 * the quoted forms of JSON, shells and Python, percent-encoding, and unwrapped base64. Other encodings, and values that
 * `secretWeakness` considers weak, are not masked.
 * @throws SkillError `INPUT_INVALID` for a value that is neither text nor a `Secret`.
 */
export function secretMasking(env: RunCommand["env"]): SecretMasking {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    typeof value === "string" ? [] : [{ name, value: variableText(name, value) }],
  );
  if (secrets.length === 0) return NOTHING_SECRET;
  const patterns = secrets.flatMap(({ value }) => secretPatterns(value));
  const automaton = patterns.length > 0 ? new PatternAutomaton(patterns) : undefined;
  const mask = Buffer.from(MASK);

  function stream(): StreamMasker | undefined {
    return automaton && new StreamMasker(automaton, mask);
  }

  function text(given: string): string {
    const masker = stream();
    if (!masker) return given;
    return Buffer.concat([masker.append(Buffer.from(given)), masker.end()]).toString("utf8");
  }

  function error(given: unknown): unknown {
    if (!automaton || !SkillError.is(given)) return given;
    const details = JSON.stringify(given.details);
    const [message, maskedDetails] = [text(given.message), text(details)];
    if (message === given.message && maskedDetails === details) return given;
    return new SkillError(given.code, message, { details: parsed(maskedDetails) });
  }

  return {
    stream,
    text,
    patterns,
    diagnostic: (given) =>
      automaton
        ? {
            ...given,
            message: text(given.message),
            hint: text(given.hint),
            ...(given.path !== undefined && { path: text(given.path) }),
          }
        : given,
    error,
    diagnostics: secrets.flatMap(({ name, value }) => {
      const weakness = secretWeakness(value);
      return weakness ? [secretWeaknessDiagnostic(name, weakness)] : [];
    }),
  };
}

const NOTHING_SECRET: SecretMasking = {
  stream: () => undefined,
  text: (text) => text,
  patterns: [],
  diagnostic: (diagnostic) => diagnostic,
  error: (error) => error,
  diagnostics: [],
};

/** Masking preserves the JSON types unless the secret contained quotes. */
function parsed(details: string): Record<string, unknown> {
  try {
    return JSON.parse(details);
  } catch {
    return {};
  }
}
