import type { RunLimits } from "@skillwright/core";

const NAME = "skillwright ";

/**
 * The name of the shell around a run's command, among the arguments of its process. The engine keeps them, out of reach of
 * every command, so that each host reads there what the runs of the others ask for.
 */
export function runName(limits: RunLimits): string {
  return `${NAME}${JSON.stringify(limits)}`;
}

/** The limits in such a name; none for any other text. */
export function limitsIn(name: string | undefined): RunLimits {
  return name?.startsWith(NAME) ? (JSON.parse(name.slice(NAME.length)) as RunLimits) : {};
}
