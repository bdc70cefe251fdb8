import { type CallOptions, SkillError } from "@skillwright/core";
import type { EngineClient } from "../engine/engine-client.js";
import { type FoundContainer, hasLayout } from "./found-container.js";

/**
 * True where a container's files are lost. Files in memory are lost when it stops, unless another container holds the
 * volume meanwhile. They are also lost when the engine restarts and leaves the container running: the engine then sees
 * an empty volume, though commands still see the files.
 */
export async function isLost(
  engine: EngineClient,
  { id, record, state }: FoundContainer,
  options?: CallOptions,
): Promise<boolean> {
  if (record.storage === "disk") return false;
  if (state === "running" || state === "paused") return !(await hasLayout(engine, id, options));
  const filters = { volume: [record.volume] };
  const list = (abortSignal: AbortSignal) => engine.docker.listContainers({ filters, abortSignal });
  const holders = await engine.call("Looking who uses a volume", list, options);
  return holders.every((holder) => holder.Id === id);
}

export function lostStorage(workspaceId: string): SkillError {
  return new SkillError(
    "WORKSPACE_NOT_FOUND",
    `The files of the workspace ${workspaceId} are lost: they were in memory, and its container or the engine was restarted. Create a new workspace; with storage: "disk" files survive a restart.`,
    { details: { workspaceId } },
  );
}

export function workspaceNotFound(workspaceId: string): SkillError {
  return new SkillError(
    "WORKSPACE_NOT_FOUND",
    `There is no workspace ${JSON.stringify(workspaceId.slice(0, 80))}. It was destroyed, its container was removed, or it was never created.`,
    { details: { workspaceId: workspaceId.slice(0, 80) } },
  );
}
