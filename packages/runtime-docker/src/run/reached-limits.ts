import { constants } from "node:os";
import type { Diagnostic } from "@skillwright/core";
import type { RunReport } from "@skillwright/supervisor";
import { ROOT } from "../container/workspace-container.js";
import {
  fileFull,
  memoryReached,
  noRunDirectory,
  processesReached,
  storageFull,
  temporaryFull,
} from "./run-diagnostics.js";

/** Exit code, as in shells, for the signal that ends a process that writes beyond the limit and does not ignore it. */
const TOO_LARGE = 128 + constants.signals.SIGXFSZ;

/** The limits that a run reached, according to its supervisor. A full file system counts where the command failed. */
export function reachedLimits(
  { reached, full, unmade }: Pick<RunReport, "reached" | "full" | "unmade">,
  exitCode: number,
  runDirectory: string,
): readonly Diagnostic[] {
  return [
    ...(unmade === undefined ? [] : [noRunDirectory(runDirectory)]),
    ...(reached.includes("memoryBytes") ? [memoryReached()] : []),
    ...(reached.includes("processes") ? [processesReached()] : []),
    ...(exitCode === TOO_LARGE ? [fileFull()] : []),
    ...(exitCode === 0 ? [] : full).map((place) => (place === ROOT ? storageFull() : temporaryFull(place))),
  ];
}
