import { type Diagnostic, type RunCommand, SkillError } from "@skillwright/core";
import { checkSize, MAX_STRING_BYTES } from "./size-limit.js";

/** Timers above this fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * @throws SkillError `INPUT_INVALID` for what no runtime could do anything with, `LIMIT_EXCEEDED` for a text longer than
 *   one argument can be.
 */
export function checkCommand({ runId, command, timeoutMs, maxOutputBytes }: RunCommand): void {
  if (command.includes("\0")) throw invalid("A command with a NUL character", "text without one");
  checkSize("The command", Buffer.byteLength(command), MAX_STRING_BYTES);
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/.test(runId))
    throw invalid(`The run id ${JSON.stringify(runId.slice(0, 80))}`, "1 to 128 letters, digits, ., - and _");
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    throw invalid(`The time-out of ${timeoutMs} ms`, `more than 0 and at most ${MAX_TIMEOUT_MS} ms`);
  if (!Number.isSafeInteger(maxOutputBytes) || maxOutputBytes < 0)
    throw invalid(`An output limit of ${maxOutputBytes}`, "a whole number of bytes from 0");
}

/**
 * Nothing here can take the network from a command that is not isolated.
 * @throws SkillError `UNSUPPORTED` where it was to be off.
 */
export function checkNetwork({ network, bestEffort }: RunCommand, isolated: boolean): readonly Diagnostic[] {
  if (isolated || network === true) return [];
  if (network === false && !bestEffort)
    throw new SkillError(
      "UNSUPPORTED",
      "The network cannot be turned off for a command that is not isolated. Run it in a sandbox, allow it the network, or " +
        "set bestEffort to run it and be told so.",
    );
  return [
    {
      code: "network.open",
      severity: network === false ? "warning" : "info",
      message: "The command could use the network, because nothing isolates it.",
      hint: "Run it in a sandbox to keep it off the network.",
    },
  ];
}

function invalid(what: string, wanted: string): SkillError {
  return new SkillError("INPUT_INVALID", `${what} is not one: it must be ${wanted}.`);
}
