import type { CollectedFile, Diagnostic, JsonObject, WorkspaceRunResult } from "@skillwright/core";
import { type CapturedOutput, HeadTailBuffer } from "@skillwright/core/adapter";
import type { ToolAnswer } from "../define-tool.js";
import { runHints } from "./run-hints.js";
import { runWarnings } from "./run-warnings.js";

/** Maximum shown of each stream. */
const MAX_STREAM_BYTES = 16 * 1024;
/** A larger text file is not offered as the primary output. */
const MAX_PRIMARY_BYTES = 32 * 1024;

/**
 * The result of a run, with the effective isolation, the directory and warnings. A failed command is a
 * result like any other.
 */
export function runAnswer(
  result: WorkspaceRunResult,
  { declared, diagnostics: before }: { declared: boolean; diagnostics: readonly Diagnostic[] },
): ToolAnswer {
  const stdout = cappedOutput("stdout", result.stdout, MAX_STREAM_BYTES);
  const stderr = cappedOutput("stderr", result.stderr, MAX_STREAM_BYTES);
  const files = declared ? result.outputs : result.outputs.filter(({ unchanged }) => !unchanged);
  const told = result.diagnostics.filter(({ code }) => declared || code !== "glob.no-match");
  const streams = [...stdout.diagnostics, ...stderr.diagnostics];
  const diagnostics = [...before, ...runHints(result), ...told, ...streams];
  const artifacts = files.flatMap(({ artifact }) => artifact ?? []);
  const primary = primaryOutput(files);
  const warnings = runWarnings(diagnostics);
  return {
    output: {
      stdout: stdout.text,
      stderr: stderr.text,
      exit_code: result.exitCode,
      timed_out: result.timedOut,
      ...(result.aborted ? { aborted: true } : {}),
      duration_ms: Math.round(result.durationMs),
      output_files: files.map(outputFile),
      ...(primary === undefined ? {} : { primary_output: primary }),
      artifact_files: artifacts.map(({ name, version }) => ({ name, version })),
      isolation: `${result.isolation.level} (${result.isolation.by})`,
      cwd: result.cwd,
      ...(warnings.length > 0 ? { warnings } : {}),
    },
    artifacts,
    diagnostics,
  };
}

function outputFile(file: CollectedFile): JsonObject {
  return {
    name: file.path,
    ...(file.content === undefined ? {} : { content: file.content }),
    mime_type: file.mimeType,
    size_bytes: file.size,
    ...(file.truncated ? { truncated: true } : {}),
    ...(file.unchanged ? { unchanged: true } : {}),
  };
}

/** The first text file by name whose content is present and not blank. */
function primaryOutput(files: readonly CollectedFile[]): string | undefined {
  const texts = files.filter(({ content = "", size }) => content.trim() !== "" && size <= MAX_PRIMARY_BYTES);
  return texts.map(({ path }) => path).sort()[0];
}

/**
 * The stream's first and last bytes within the limit, cut at whole characters, and a warning where some are missing.
 */
function cappedOutput(
  stream: "stdout" | "stderr",
  captured: CapturedOutput,
  limit: number,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const bytes = new TextEncoder().encode(captured.text);
  if (bytes.byteLength <= limit)
    return { text: captured.text, diagnostics: captured.truncated ? [cut(stream, captured.totalBytes)] : [] };
  const kept = new HeadTailBuffer(limit);
  kept.append(bytes);
  return { text: kept.captured().text, diagnostics: [cut(stream, captured.totalBytes)] };
}

function cut(stream: string, totalBytes: number): Diagnostic {
  return {
    code: "output.stream-cut",
    severity: "warning",
    message: `${stream} has ${totalBytes} bytes; only its beginning and end are returned.`,
    hint: "Write long output to a file below out/ and read it in parts.",
  };
}
