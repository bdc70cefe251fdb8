import { setImmediate } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import { containerState } from "../container/container-state.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";
import { type ContainerProcess, listedProcesses } from "./listed-processes.js";
import { type LocalProcess, localProcesses } from "./local-processes.js";

/**
 * All processes of the container, as the engine sees them from outside, where nothing in the container can hide or fake
 * one; otherwise the state of a container that has none.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function containerProcesses(
  container: WorkspaceContainer,
  options?: CallOptions,
): Promise<readonly ContainerProcess[] | "stopped" | "removed"> {
  // Repeated checks must not block the event loop.
  await setImmediate();
  const local = byNumber(localProcesses(container) ?? []);
  if (local && local.length > 0) return local;
  const list = await engineList(container, options);
  if (Array.isArray(list)) return list;
  const { now } = await containerState(container, options);
  if (now === "stopped" || now === "removed") return now;
  // Podman does not list the processes of a paused container.
  if (now === "paused") await container.ready(options);
  const again = now === "paused" ? await engineList(container, options) : undefined;
  if (Array.isArray(again)) return again;
  const listed = await listedProcesses(container, options);
  if (listed) return listed;
  throw notUnderstood(list);
}

/** The list, or why there is none: the engine's answer, or nothing where it returned something else. */
async function engineList(
  { container, engine }: WorkspaceContainer,
  options: CallOptions | undefined,
): Promise<readonly ContainerProcess[] | SkillError | undefined> {
  const top = (abortSignal: AbortSignal) =>
    container.top({ ps_args: engine.isPodman ? "pid,user,group" : "-eo pid,ruid,rgid", abortSignal });
  try {
    const answer = await engine.call("Looking at the container's processes", top, options);
    const { Processes: rows, Titles: titles } = answer as { Processes?: string[][]; Titles?: string[] };
    if (titles?.length !== 3 || !Array.isArray(rows) || rows.length === 0) return undefined;
    return engine.isPodman ? rows.map(byName) : byNumber(rows.map(asNumbers));
  } catch (error) {
    if (statusOf(error) === undefined) throw error;
    return error as SkillError;
  }
}

/** Podman returns the container's names, and numbers for ids without a name. */
function byName([, user = "", group = ""]: readonly string[]): ContainerProcess {
  return { isRoot: user === "root" || user === "0", group: group === "root" ? 0 : Number(group) };
}

function asNumbers([, user, group]: readonly string[]): LocalProcess {
  return { user: Number(user), group: Number(group) };
}

/**
 * Docker returns numbers of its own machine. They are shifted where it uses user namespaces; the container's own
 * processes, which belong to root, then reveal the offset.
 */
function byNumber(numbers: readonly LocalProcess[]): readonly ContainerProcess[] | undefined {
  const least = (name: "user" | "group") => Math.min(...numbers.map((each) => each[name]));
  const [root, rootGroup] = [least("user"), least("group")];
  if (!Number.isSafeInteger(root + rootGroup)) return undefined;
  return numbers.map(({ user, group }) => ({ isRoot: user === root, group: group - rootGroup }));
}

function notUnderstood(cause: unknown): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The processes of the container could not be listed, so it is unknown whether a run has ended. Install procps on the " +
      "engine's machine.",
    { cause },
  );
}
