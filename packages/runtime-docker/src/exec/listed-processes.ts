import type { CallOptions } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { shellArguments } from "./shell-arguments.js";
import { startExec } from "./start-exec.js";

export interface ContainerProcess {
  /** False means the run's user: a container has no other users. */
  readonly isRoot: boolean;
  /** Its primary group, as numbered in the container; `NaN` for a named group, which is never one of ours. */
  readonly group: number;
}

/** Prints a line `uid gid` for each process but itself. Uses only builtins, so that it needs no process. */
const LIST = `for entry in /proc/[0-9]*; do
  [ "$entry" = /proc/$$ ] || while read -r key value rest; do
    case $key in
    State:) state=$value ;;
    Uid:) user=$value ;;
    Gid:) group=$value ;;
    Threads:) [ "$state" = Z ] && [ "$value" = 1 ] || echo "$user $group" ;;
    esac
  done <"$entry/status"
done 2>/dev/null
echo end`;

/**
 * The same, measured from inside, for engines that cannot list processes. Runs as root, with no more rights than a
 * command has, but out of its reach.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function listedProcesses(
  container: WorkspaceContainer,
  options?: CallOptions,
): Promise<readonly ContainerProcess[] | undefined> {
  const argv = [container.shell, ...shellArguments(container), "-c", LIST] as const;
  const exec = await startExec(container, { argv, as: "root" }, options);
  const pieces: Uint8Array[] = [];
  for await (const { stream, bytes } of exec.output) if (stream === "stdout") pieces.push(bytes);
  const lines = Buffer.concat(pieces).toString("latin1").trim().split("\n");
  if (lines.pop() !== "end") return undefined;
  return lines.map((line) => {
    const [user, group] = line.split(" ").map(Number);
    return { isRoot: user === 0, group: group ?? Number.NaN };
  });
}
