import type { RunLimits } from "@skillwright/core";

const NAME = "skillwright ";

/**
 * The name of the shell that wraps a run's command, passed as an argument of its process. The engine stores it out of
 * the commands' reach, so that each host can read there what the runs of other hosts request.
 */
export function runName(limits: RunLimits): string {
  return `${NAME}${JSON.stringify(limits)}`;
}

/** Parses the limits in such a name; none for any other text. */
export function limitsIn(name: string | undefined): RunLimits {
  return name?.startsWith(NAME) ? (JSON.parse(name.slice(NAME.length)) as RunLimits) : {};
}
