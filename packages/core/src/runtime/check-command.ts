import { Buffer } from "node:buffer";
import { SkillError } from "../skill-error.js";
import type { RunCommand } from "./run-command.js";

/** Timers with a longer delay fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Validates a command. Runtimes call it before they start anything.
 * @throws SkillError `INPUT_INVALID` for values that no runtime can use, `LIMIT_EXCEEDED` for a text longer than one
 * argument can be.
 */
export function checkCommand({
  runId,
  keep,
  interactive,
  endsWithHost,
  command,
  timeoutMs,
  maxOutputBytes,
  liveOutputBytes = 0,
}: RunCommand): void {
  if (keep && endsWithHost) throw invalid("`keep` together with `endsWithHost`", "one of the two");
  if (keep && interactive) throw invalid("`keep` together with `interactive`", "one of the two");
  if (command.includes("\0")) throw invalid("A command with a NUL character", "text without one");
  checkSize("The command", Buffer.byteLength(command), MAX_STRING_BYTES);
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/.test(runId))
    throw invalid(`The run id ${JSON.stringify(runId.slice(0, 80))}`, "1 to 128 letters, digits, ., - and _");
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    throw invalid(`The timeout of ${timeoutMs} ms`, `more than 0 and at most ${MAX_TIMEOUT_MS} ms`);
  for (const bytes of [maxOutputBytes, liveOutputBytes])
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      throw invalid(`An output limit of ${bytes}`, "a whole number of bytes from 0");
}

function invalid(what: string, wanted: string): SkillError {
  return new SkillError("INPUT_INVALID", `${what} is not valid: it must be ${wanted}.`);
}

/** The kernel's limit for a single argument or variable. */
export const MAX_STRING_BYTES = 128 * 1024 - 1;

/** @throws SkillError `LIMIT_EXCEEDED`. The system itself would only report that the argument list is too long. */
export function checkSize(what: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new SkillError(
    "LIMIT_EXCEEDED",
    `${what} has ${bytes} bytes, but the system allows only ${limit}. Put large text into a file in work/ or into stdin.`,
    { details: { limit, bytes } },
  );
}
