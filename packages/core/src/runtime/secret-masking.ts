import { Buffer } from "node:buffer";
import type { Diagnostic } from "../diagnostic.js";
import { MASK } from "../secret.js";
import { SkillError } from "../skill-error.js";
import { PatternAutomaton } from "./pattern-automaton.js";
import type { RunCommand } from "./run-command.js";
import { secretPatterns } from "./secret-patterns.js";
import { secretWeakness, secretWeaknessDiagnostic } from "./secret-strength.js";
import { StreamMasker } from "./stream-masker.js";

/** Keeps the secrets of one command out of all that is told of it. */
export interface SecretMasking {
  /** For one stream; `undefined` where there is nothing to mask. */
  stream(): StreamMasker | undefined;
  text(text: string): string;
  diagnostic(diagnostic: Diagnostic): Diagnostic;
  /** An error whose message or details hold a secret, without it and without its cause; any other as it is. */
  error(error: unknown): unknown;
  /** Names the variables whose values are too weak to be masked. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Masks the values of the command's `Secret` variables as `***`: as they are, line by line, quoted as JSON, shells and
 * Python quote, percent-encoded, and in base64 where it is not wrapped. Other encodings, and values that `secretWeakness`
 * finds weak, are not found (SECR-04).
 */
export function secretMasking(env: RunCommand["env"]): SecretMasking {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    typeof value === "string" ? [] : [{ name, value: value.reveal() }],
  );
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

/** A mask does not change what is a string and what is not, unless the secret held quotes. */
function parsed(details: string): Record<string, unknown> {
  try {
    return JSON.parse(details);
  } catch {
    return {};
  }
}
