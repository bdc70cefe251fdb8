import type { Diagnostic } from "@skillwright/core";

/** Reports the restrictions of runs without a supervisor, which are never isolated. */
export function noSupervisor(why: string): Diagnostic {
  return {
    code: "supervisor.missing",
    severity: "warning",
    message:
      `The supervisor does not run on this machine: ${why}. Processes that leave a command's process group outlive its run, runs ` +
      "outlive a host that is killed, descriptors that this process inherited stay open in commands, and standard streams " +
      "cannot be opened by name. If the host process stalls, timeouts of runs are late.",
    hint: `${SUPERVISOR_REMEDY}.`,
  };
}

export const SUPERVISOR_REMEDY =
  "Use Linux on x64 or arm64, with a workspace root on a file system that allows execution. Where the program is a " +
  "bundle, install @skillwright/supervisor next to it";
