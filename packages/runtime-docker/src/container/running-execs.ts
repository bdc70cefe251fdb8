import type { CallOptions } from "@skillwright/core";
import { statusOf } from "../engine/engine-error.js";
import { MARK } from "../run/wrapper-script.js";
import { inspectContainer } from "./found-container.js";
import { PRESENCE } from "./presence.js";
import type { WorkspaceContainer } from "./workspace-container.js";

/** A process that the engine started in the container and that has not ended. What it was started with nobody can change. */
export interface RunningExec {
  /** Its primary group, where it was given one by number. */
  readonly group: number | undefined;
  /** Of a run, and of what shows that its host is there. */
  readonly host: string | undefined;
  readonly isPresence: boolean;
}

/** `undefined` for a container that was removed. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
export async function runningExecs(
  { container, engine }: WorkspaceContainer,
  options?: CallOptions,
): Promise<readonly RunningExec[] | undefined> {
  const info = (await inspectContainer(engine, container.id, options)) as WithExecs | undefined;
  if (!info) return undefined;
  const looks = (info.ExecIDs ?? []).map(async (id) => {
    try {
      const look = (abortSignal: AbortSignal) => engine.docker.getExec(id).inspect({ abortSignal });
      return await engine.call("Looking at a command in a container", look, options);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  });
  const found = (await Promise.all(looks)) as (ExecInfo | undefined)[];
  return found.flatMap((exec) => (exec?.Running ? [runningExec(exec)] : []));
}

function runningExec({ ProcessConfig: config }: ExecInfo): RunningExec {
  const given = config?.arguments ?? [];
  const [, group] = /^\d+:(\d+)$/.exec(config?.user ?? "") ?? [];
  const presenceAt = given.indexOf(PRESENCE);
  const isPresence = presenceAt >= 0 && config?.user === "0:0";
  const runMark = given.find((argument) => argument.startsWith(MARK))?.slice(MARK.length);
  const host = isPresence ? given[presenceAt + 1] : runMark?.split(".")[0];
  return { group: group === undefined ? undefined : Number(group), host, isPresence };
}

interface WithExecs {
  readonly ExecIDs?: readonly string[] | null;
}

interface ExecInfo {
  readonly Running: boolean;
  readonly ProcessConfig?: { readonly user?: string; readonly arguments?: readonly string[] };
}
