import type { Diagnostic } from "@skillwright/core";
import { type CapturedOutput, outputLog } from "@skillwright/core/adapter";

/**
 * The stream's first and last bytes within the limit, cut at whole characters, and a warning where some are missing.
 */
export function cappedOutput(
  stream: "stdout" | "stderr",
  captured: CapturedOutput,
  limit: number,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const bytes = new TextEncoder().encode(captured.text);
  if (bytes.byteLength <= limit)
    return { text: captured.text, diagnostics: captured.truncated ? [cut(stream, captured.totalBytes)] : [] };
  const log = outputLog(limit);
  log.append(stream, bytes);
  return { text: log.captured(stream).text, diagnostics: [cut(stream, captured.totalBytes)] };
}

function cut(stream: string, totalBytes: number): Diagnostic {
  return {
    code: "output.stream-cut",
    severity: "warning",
    message: `${stream} has ${totalBytes} bytes; only its beginning and its end are given.`,
    hint: "Send long output into a file below out/ and read that in parts.",
  };
}
