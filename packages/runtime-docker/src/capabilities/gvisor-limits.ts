import type { Diagnostic } from "@skillwright/core";
import type { MadeLimits } from "../container/container-labels.js";

/** What gVisor does not hold, or holds in another way than Linux. */
export function gvisorLimits({ memoryBytes, processes }: MadeLimits): readonly Diagnostic[] {
  return [
    info(
      "gvisor.memory",
      `Where a workspace needs more than its ${memoryBytes} bytes of memory, its container is stopped, and not only the process that grew.`,
      'Use storage: "disk" to keep the files of a workspace in that case.',
    ),
    info(
      "gvisor.processes",
      `The number of processes is not limited exactly. Where the processes of a workspace take more than ${processes} threads of the engine's machine, its container is stopped.`,
      "Start fewer processes at once, or raise processes.",
    ),
    info(
      "gvisor.streams-by-name",
      "Commands cannot open /dev/stdout and /dev/stderr by name, since a pipe belongs to the user that made it. Writing to descriptors 1 and 2 works.",
      "Write >&2 instead of > /dev/stderr.",
    ),
    info(
      "gvisor.long-paths",
      "Programs such as bash fail in a directory whose path is longer than 4,096 bytes.",
      "Keep paths shorter.",
    ),
  ];
}

function info(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "info", message, hint };
}
