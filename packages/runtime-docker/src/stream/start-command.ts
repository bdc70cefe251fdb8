import { SkillError } from "@skillwright/core";
import { type CommandEnd, type RunStream, readReport } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";

export interface CommandRequest {
  readonly argv: readonly [program: string, ...rest: string[]];
  /**
   * `run`: the run's user, under the container's filter of system calls. `root` has no capability that the supervisor has
   * not, and owns the files that do not belong to the run's user.
   */
  readonly as: "run" | "root";
  readonly environment: Readonly<Record<string, string>>;
  /** Keeps standard input open for `write`. */
  readonly input: boolean;
  /** Nothing more is read from the connection until what it returns is settled. */
  readonly onOutput: (stream: "stdout" | "stderr", bytes: Uint8Array) => Promise<void> | undefined;
}

/** A command of this package that the supervisor of the container runs. It ends with this process. */
export interface ContainerCommand {
  /** Settles when the command has taken the bytes. @throws SkillError `CLOSED` when the command does not read any more, and when the connection ended. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** Ends the command with all its processes. */
  end(): void;
  /** Resolves when no process of it is left. @throws SkillError `BACKEND_FAILED` where it was not started or the connection broke. */
  readonly ended: Promise<CommandEnd>;
}

const KILLED = { how: "signal", number: 9 } as const;

/** @throws SkillError `CLOSED` when the connection has ended. */
export function startCommand(
  { user, filter }: Pick<WorkspaceContainer, "user" | "filter">,
  stream: RunStream,
  { argv, as, environment, input, onOutput }: CommandRequest,
): ContainerCommand {
  const own = ["--user", `${user.uid}`, "--group", `${user.gid}`, "--filter", filter];
  let report = "";
  let said = "";
  const command = stream.start({
    arguments: [
      ...["run", "--report", "3", "--control", "4", "--session"],
      ...[...(as === "run" ? own : []), "--", ...argv],
    ],
    variables: environment,
    inputs: input ? [0, 4] : [4],
    onBytes: (descriptor, bytes) => {
      if (descriptor === 3) {
        report += Buffer.from(bytes).toString("latin1");
        return undefined;
      }
      if (report === "" && said.length < 500) said += Buffer.from(bytes).toString("utf8");
      return onOutput(descriptor === 1 ? "stdout" : "stderr", bytes);
    },
  });
  const ended = command.ended.then((end) => {
    const { ended, failed, begun } = readReport(report);
    if (ended) return ended;
    if (end === undefined) throw broke();
    if (failed || !begun)
      throw notStarted(failed ? `the step "${failed.step}" failed with ${failed.errno}` : said);
    return KILLED;
  });
  // The caller may not have started to wait for it yet.
  ended.catch(() => undefined);
  return {
    write: async (bytes) => await command.write(0, bytes),
    endInput: () => command.end(0),
    end: () => command.end(4),
    ended,
  };
}

function broke(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The connection to the container ended while a script ran in it. Check the engine, and try again.",
  );
}

function notStarted(said: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `A script could not be started in the container: ${said.trim() || "its supervisor gave no reason"}. Check the engine's log; a run may use all processes that the container may have.`,
    { details: { said } },
  );
}
