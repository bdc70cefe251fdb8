import type { Diagnostic } from "@skillwright/core";
import type { Launch } from "./launch.js";
import { memoryReached, processesReached } from "./run-diagnostics.js";

/** The limits that the container reached while the command ran. @param after The counters at its end, if known. */
export function metLimits(
  { counters: before }: Pick<Launch, "counters">,
  after: string | undefined,
): readonly Diagnostic[] {
  const [first, last] = [before, after ?? before].map((text) => text.split(" ").map(Number));
  const rose = (index: number) => (last?.[index] ?? 0) > (first?.[index] ?? 0);
  return [...(rose(0) ? [memoryReached()] : []), ...(rose(1) ? [processesReached()] : [])];
}

/** The counters in the wrapper's last line. */
export function countedIn(line: string | undefined): string | undefined {
  return line?.match(/^counted (.*)$/)?.[1];
}
