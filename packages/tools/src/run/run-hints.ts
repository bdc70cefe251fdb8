import type { Diagnostic, RunResult } from "@skillwright/core";

/** Messages of the resolver, the kernel and common programs where there is no network. */
const NO_NETWORK =
  /could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|getaddrinfo|EAI_AGAIN|ENETUNREACH/i;

/**
 * Hints for failures after which models often repeat the call unchanged: what happened and what to do instead. Codes:
 * `run.timed-out`, `run.no-network`, `run.no-program` for a program that is missing or may not be executed.
 */
export function runHints(result: RunResult): readonly Diagnostic[] {
  const { aborted, timedOut, exitCode, stderr, isolation } = result;
  if (aborted) return [];
  if (timedOut) return [outOfTime(result)];
  if (exitCode === 0) return [];
  if (isolation.level !== "none" && NO_NETWORK.test(stderr.text)) return [noNetwork()];
  if (exitCode !== 126 && exitCode !== 127) return [];
  return [
    exitCode === 127 && ["container", "gvisor"].includes(isolation.level)
      ? notInImage()
      : noProgram(exitCode),
  ];
}

function outOfTime({ durationMs }: RunResult): Diagnostic {
  return {
    code: "run.timed-out",
    severity: "warning",
    message: `The command timed out after ${Math.round(durationMs / 100) / 10} seconds; all its processes were ended.`,
    hint: "Give a larger timeout (at most 600 seconds) or less work at a time. If the command waits for input, give it as stdin.",
  };
}

function noNetwork(): Diagnostic {
  return {
    code: "run.no-network",
    severity: "warning",
    message: "The command tried to reach the network, which is off in this workspace.",
    hint: "Trying again does not help: use the available files, and ask the user for anything that would have to be downloaded.",
  };
}

function notInImage(): Diagnostic {
  return {
    code: "run.no-program",
    severity: "warning",
    message: "A program of the command is missing in the container's image; stderr names it.",
    hint:
      "Paths are relative to the skill's directory. Use a program that the image has, or tell the user to give an image with the program " +
      "(--image, such as one built from docker/skill-runner).",
  };
}

function noProgram(exitCode: number): Diagnostic {
  return {
    code: "run.no-program",
    severity: "warning",
    message:
      exitCode === 127
        ? "A program of the command was not found; stderr names it."
        : "A file of the command cannot be executed; stderr names it.",
    hint: "Paths are relative to the skill's directory. Run a script with its interpreter, such as `python3 scripts/x.py`, or use another program.",
  };
}
