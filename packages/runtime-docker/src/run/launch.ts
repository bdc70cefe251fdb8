import { randomBytes } from "node:crypto";
import type { CallOptions, Diagnostic } from "@skillwright/core";
import { ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import type { ContainerExec, ExecOutput } from "../exec/container-exec.js";
import { endStarted } from "../exec/end-started.js";
import { randomGroup } from "../exec/random-group.js";
import { shellArguments } from "../exec/shell-arguments.js";
import { type PreparedExec, prepareExec } from "../exec/start-exec.js";
import { readFirstLine } from "./first-line.js";
import type { LaunchRequest } from "./launch-request.js";
import { noRunDirectory } from "./run-diagnostics.js";
import type { RunEnvironment } from "./run-environment.js";
import { runName } from "./run-name.js";
import { notStarted } from "./start-errors.js";
import { withGrace } from "./with-grace.js";
import { BASH_WRAPPER, MARK, WRAPPER } from "./wrapper-script.js";

/** A command that has started. */
export interface Launch {
  readonly exec: ContainerExec;
  /** The group of all its processes, and of no others. */
  readonly group: number;
  /** Process id of the wrapper in the container; also the command's process group. */
  readonly pid: number;
  /** The counters of reached limits before the command. */
  readonly counters: string;
  /** Prefix of the wrapper's lines on standard output. */
  readonly mark: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** The output that arrived with the start, and the later output. */
  readonly output: AsyncIterable<ExecOutput>;
}

/** A command that the engine knows and has not started. */
export interface PreparedLaunch {
  readonly exec: PreparedExec;
  readonly group: number;
  readonly mark: string;
}

/** @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
export async function prepareLaunch(
  container: WorkspaceContainer,
  request: LaunchRequest,
  options: CallOptions,
): Promise<PreparedLaunch> {
  const group = randomGroup();
  const mark = `${MARK}${request.host}.${randomBytes(12).toString("hex")} `;
  const argv = wrapped(container, request, { mark, group });
  const { variables: environment } = request.environment;
  const wanted = { argv, as: "run", group, environment, input: request.input } as const;
  return { exec: await prepareExec(container, wanted, options), group, mark };
}

/**
 * Starts the command and waits until it runs.
 * @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID` for its directory, `BACKEND_FAILED`, `ABORTED`.
 * No process of it is left then, as far as the engine can be reached.
 */
export async function launch(
  container: WorkspaceContainer,
  request: LaunchRequest,
  { exec: prepared, group, mark }: PreparedLaunch,
  options: CallOptions,
): Promise<Launch> {
  return await withGrace(options.signal, async (signal) => {
    let exec: ContainerExec | undefined;
    try {
      exec = await prepared.start({ signal });
      return { exec, group, ...(await started(container, exec, Buffer.from(mark), request, { signal })) };
    } catch (error) {
      exec?.close();
      await endStarted(container, prepared, { group, as: "run" });
      throw error;
    }
  });
}

function wrapped(
  container: WorkspaceContainer,
  { command, cwd, runDirectory, environment, input, openFiles, fileBytes, limits }: LaunchRequest,
  { mark, group }: { mark: string; group: number },
): readonly [string, ...string[]] {
  const { shell, isBash } = container;
  const blocks = fileBytes === undefined ? "" : `${Math.floor(fileBytes / fileUnit(isBash, environment))}`;
  const own = [mark, `${group}`, ROOT, cwd, runDirectory, input ? "1" : "", `${openFiles ?? ""}`, blocks];
  const shellWith = [shell, ...shellArguments(container), "-c"] as const;
  return [
    ...shellWith,
    isBash ? BASH_WRAPPER : WRAPPER,
    runName(limits),
    ...own,
    environment.unset.join(" "),
    ...shellWith,
    command,
  ];
}

/** The unit of `ulimit -f`, which differs between POSIX and bash. */
function fileUnit(isBash: boolean, { variables, unset }: RunEnvironment): number {
  const name = "POSIXLY_CORRECT";
  return isBash && (!Object.hasOwn(variables, name) || unset.includes(name)) ? 1024 : 512;
}

async function started(
  { engine }: WorkspaceContainer,
  { output }: ContainerExec,
  mark: Uint8Array,
  request: LaunchRequest,
  options: CallOptions,
): Promise<Omit<Launch, "exec" | "group">> {
  const iterator = output[Symbol.asyncIterator]();
  const wait = () => readFirstLine(iterator, mark);
  const { line, rest } = await engine.call("Waiting for the command to start", wait, options);
  const [, pid, counters, full] = line?.match(/^started (\d+) (\d+ \d+)( full)?$/) ?? [];
  if (pid === undefined || counters === undefined) throw notStarted(request, line, rest);
  const diagnostics = full ? [noRunDirectory(request.runDirectory)] : [];
  return { mark, pid: Number(pid), counters, diagnostics, output: continued(rest, iterator) };
}

async function* continued(
  first: readonly ExecOutput[],
  iterator: AsyncIterator<ExecOutput, void, undefined>,
): AsyncGenerator<ExecOutput, void, undefined> {
  yield* first;
  yield* { [Symbol.asyncIterator]: () => iterator };
}
