import { constants } from "node:os";
import type { Diagnostic } from "@skillwright/core";
import type { Launch } from "./launch.js";
import { fileFull, memoryReached, processesReached, storageFull, temporaryFull } from "./run-diagnostics.js";

/** Exit code, as in shells, for the signal that ends a process that writes beyond the limit and does not ignore it. */
const TOO_LARGE = 128 + constants.signals.SIGXFSZ;

/** The limits that the run reached. @param after The counters at its end, if known. */
export function metLimits(
  { counters: before }: Pick<Launch, "counters">,
  after: string | undefined,
  exitCode: number,
): readonly Diagnostic[] {
  const [first, last] = [before, after ?? before].map((text) => text.split(" "));
  const rose = (index: number) => Number(last?.[index] ?? 0) > Number(first?.[index] ?? 0);
  const full = last?.slice(2) ?? [];
  return [
    ...(rose(0) ? [memoryReached()] : []),
    ...(rose(1) ? [processesReached()] : []),
    ...(exitCode === TOO_LARGE ? [fileFull()] : []),
    ...full.map((place) => (place === "storage" ? storageFull() : temporaryFull(place))),
  ];
}

/** The counters in the wrapper's last line, and the full file systems. */
export function countedIn(line: string | undefined): string | undefined {
  return line?.match(/^counted (.*)$/)?.[1];
}
