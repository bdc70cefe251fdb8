import type { Diagnostic } from "@skillwright/core";
import { systemCallFilter } from "@skillwright/supervisor";

const NO_FILTER =
  "Commands have no system-call filter and can attach to the first process of their sandbox. ";

/** Reports the restrictions of runs without a supervisor. */
export function noSupervisor(why: string, { isolated }: { isolated: boolean }): Diagnostic {
  const hasFilter = systemCallFilter({ network: false }) !== undefined;
  const costs = isolated
    ? (hasFilter ? "" : NO_FILTER) +
      "Descriptors that this process inherited stay open in commands, limits of control groups are not available, " +
      "and a host that is killed while it starts a command can leave bubblewrap processes behind"
    : "Processes that leave a command's process group outlive its run, runs outlive a host that is killed, and " +
      "descriptors that this process inherited stay open in commands";
  return {
    code: "supervisor.missing",
    severity: "warning",
    message: `The supervisor does not run on this machine: ${why}. ${costs}. If the host process stalls, timeouts of runs are late.`,
    hint:
      "Use Linux on x64 or arm64, with a workspace root on a file system that allows execution. Where the program is a " +
      "bundle, install @skillwright/supervisor next to it.",
  };
}
