import type { CollectedFile, WorkspaceRunResult } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { runHints } from "@skillwright/tools";
import { formatBytes, formatDuration } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import type { Style } from "../terminal/style.js";
import type { CopiedOutput } from "./copy-outputs.js";

/** How the command ended, its outputs and where they were copied, and the effective isolation. */
export function resultLines(
  result: WorkspaceRunResult,
  files: readonly CollectedFile[],
  copied: readonly CopiedOutput[],
  style: Style,
): readonly string[] {
  const { isolation } = result;
  // No files were requested, so their absence is not reported.
  const diagnostics = result.diagnostics.filter(({ code }) => code !== "glob.no-match");
  return [
    ...diagnostics.flatMap((diagnostic) => diagnosticLines(diagnostic, style)),
    ...files.map(({ path, size, mimeType }, index) => {
      const about = `${shownLine(path)} ${style.dim(`(${formatBytes(size)}, ${mimeType})`)}`;
      const one = copied[index];
      if (one && "error" in one)
        return `  ${style.red("lost")}  ${about}: ${shownLine(one.error.message)} ${style.dim(one.error.code)}`;
      return `  ${style.green("made")}  ${about}${one ? ` -> ${one.target}` : ""}`;
    }),
    ...runHints(result)
      .filter(({ code }) => code === "run.no-program")
      .flatMap((hint) => diagnosticLines(hint, style)),
    ...(files.length > 0 && copied.length === 0 ? [style.dim("        give --out DIR to keep them")] : []),
    `${ending(result, style)} after ${formatDuration(result.durationMs)}${used(result)}, isolation ${isolation.level} (${shownLine(isolation.by)})`,
  ];
}

function used({ cpuMs, peakMemoryBytes }: WorkspaceRunResult): string {
  const cpu = cpuMs === undefined ? "" : `, ${formatDuration(cpuMs)} of CPU time`;
  return peakMemoryBytes === undefined ? cpu : `${cpu}, up to ${formatBytes(peakMemoryBytes)} of memory`;
}

function ending({ exitCode, timedOut, aborted }: WorkspaceRunResult, style: Style): string {
  if (timedOut) return style.red("✘ timed out");
  if (aborted) return style.red("✘ interrupted");
  return exitCode === 0 ? style.green("✔ done") : style.red(`✘ exit code ${exitCode}`);
}
