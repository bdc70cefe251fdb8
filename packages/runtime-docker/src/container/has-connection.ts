import type { CallOptions } from "@skillwright/core";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import { SUPERVISOR } from "../stream/supervisor-place.js";
import { inspectContainer } from "./found-container.js";

/** Engines may list hundreds that ended minutes ago. */
const AT_ONCE = 8;

/** True where a living host has a connection to the supervisor of the container. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
export async function hasConnection(
  engine: EngineClient,
  containerId: string,
  options?: CallOptions,
): Promise<boolean> {
  const info = (await inspectContainer(engine, containerId, options)) as
    | { readonly ExecIDs?: readonly string[] | null }
    | undefined;
  const ids = info?.ExecIDs ?? [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    if ((await Promise.all(some.map((id) => isConnection(engine, id, options)))).includes(true)) return true;
  }
  return false;
}

/** False for a process that the engine no longer knows. */
async function isConnection(
  engine: EngineClient,
  id: string,
  options: CallOptions | undefined,
): Promise<boolean> {
  try {
    const inspect = (abortSignal: AbortSignal) => engine.docker.getExec(id).inspect({ abortSignal });
    const { Running, ProcessConfig } = (await engine.call(
      "Looking at a command in a container",
      inspect,
      options,
    )) as unknown as ExecInfo;
    return Running && ProcessConfig?.entrypoint === SUPERVISOR && ProcessConfig.arguments?.[0] === "connect";
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

interface ExecInfo {
  readonly Running: boolean;
  readonly ProcessConfig?: { readonly entrypoint?: string; readonly arguments?: readonly string[] };
}
