import type { LogLevel, ServerLog } from "@skillwright/server";
import { pino, stdTimeFunctions } from "pino";
import type { CliContext } from "../cli-context.js";

/** The functions of the server's package, which `serve` imports only if it is installed. */
type LogParts = Pick<typeof import("@skillwright/server"), "loggedError" | "textLog">;

/**
 * The log of a server on standard error: lines of text with the time of day on a terminal, otherwise a JSON object in each line.
 * @param level Entries below it are left out. Defaults to `info`, and on a terminal to `warn`.
 */
export function serveLog(
  level: LogLevel | undefined,
  { stderr, remark }: Pick<CliContext, "stderr" | "remark">,
  { loggedError, textLog }: LogParts,
): ServerLog {
  if (stderr.isTTY)
    return textLog((line) => remark(`${new Date().toTimeString().slice(0, 8)} ${line}`), level);
  return pino(
    {
      level: level ?? "info",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedError },
    },
    stderr as { write(text: string): void },
  );
}
