import type { CallOptions, RunLimits } from "@skillwright/core";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import { limitsIn } from "../run/run-name.js";
import { runNotes } from "../run/run-note.js";
import { MARK } from "../run/wrapper-script.js";
import { SUPERVISOR } from "../served/supervisor-place.js";
import { inspectContainer } from "./found-container.js";
import { type StandingRole, standingName } from "./standing-exec.js";
import type { WorkspaceContainer } from "./workspace-container.js";

/** Engines may list hundreds that ended minutes ago. */
const AT_ONCE = 8;

/** A running process that the engine or the supervisor started in the container. No process inside can change this. */
export interface RunningExec {
  /** Its primary group, if it was given as a number. */
  readonly group: number | undefined;
  /** The mark of the host that started it, or of its connection; `undefined` for a run with a key. */
  readonly host: string | undefined;
  /** Undefined for a process that is neither a run nor stands for a host. */
  readonly role: StandingRole | "run" | undefined;
  /** The limits that a run requested. */
  readonly limits: RunLimits;
}

/** `undefined` for a container that was removed. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
export async function runningExecs(
  workspace: WorkspaceContainer,
  options?: CallOptions,
): Promise<readonly RunningExec[] | undefined> {
  const { container, engine, isServed } = workspace;
  // Before the engine's, so that the connection of each of these is among them.
  const served = isServed ? await servedRuns(workspace, options) : [];
  const execs = await engineExecs(engine, container.id, options);
  return execs && [...served, ...execs];
}

/** Those of the engine alone. */
export async function engineExecs(
  engine: EngineClient,
  containerId: string,
  options?: CallOptions,
): Promise<readonly RunningExec[] | undefined> {
  const info = (await inspectContainer(engine, containerId, options)) as WithExecs | undefined;
  if (!info) return undefined;
  const ids = info.ExecIDs ?? [];
  const found: (ExecInfo | undefined)[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE)
    found.push(...(await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => look(engine, id, options)))));
  return found.flatMap((exec) => (exec?.Running ? [runningExec(exec)] : []));
}

async function servedRuns(
  workspace: WorkspaceContainer,
  options: CallOptions | undefined,
): Promise<readonly RunningExec[]> {
  const stream = await workspace.engine.streams.open(workspace, options);
  return runNotes(await stream.notes()).map((note) => ({ ...note, role: "run", host: note.host }));
}

/** `undefined` for one that the engine no longer knows. */
async function look(
  engine: EngineClient,
  id: string,
  options: CallOptions | undefined,
): Promise<ExecInfo | undefined> {
  try {
    const inspect = (abortSignal: AbortSignal) => engine.docker.getExec(id).inspect({ abortSignal });
    const info = await engine.call("Looking at a command in a container", inspect, options);
    return info as unknown as ExecInfo;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function runningExec({ ProcessConfig: config }: ExecInfo): RunningExec {
  const given = config?.arguments ?? [];
  const [, group] = /^\d+:(\d+)$/.exec(config?.user ?? "") ?? [];
  const isRoot = config?.user === "0:0";
  const standing = ROLES.find((one) => isRoot && given.includes(standingName(one)));
  if (standing) {
    const mark = given[given.indexOf(standingName(standing)) + 1];
    return { group: Number(group), role: standing, host: mark, limits: {} };
  }
  if (isRoot && config?.entrypoint === SUPERVISOR && given[0] === "connect")
    return { group: Number(group), role: "presence", host: given.at(-1), limits: {} };
  const markAt = given.findIndex((argument) => argument.startsWith(MARK));
  const runMark = given[markAt]?.slice(MARK.length);
  return {
    group: group === undefined ? undefined : Number(group),
    role: runMark === undefined ? undefined : "run",
    host: runMark?.split(".")[0],
    limits: limitsIn(given[markAt - 1]),
  };
}

const ROLES: readonly StandingRole[] = ["presence", "turn"];

interface WithExecs {
  readonly ExecIDs?: readonly string[] | null;
}

interface ExecInfo {
  readonly Running: boolean;
  readonly ProcessConfig?: {
    readonly user?: string;
    readonly entrypoint?: string;
    readonly arguments?: readonly string[];
  };
}
