import { setTimeout } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import { shellArguments } from "../exec/shell-arguments.js";
import { startExec } from "../exec/start-exec.js";
import type { WorkspaceContainer } from "./workspace-container.js";

/** What a standing process is there for: that a host waits for its runs, or that it changes the container's limits. */
export type StandingRole = "presence" | "turn";

export interface StandingExec {
  /** True once the process runs, false where it ended without. */
  readonly there: Promise<boolean>;
  /** Settles when it has ended, or the connection is gone. */
  readonly over: Promise<void>;
  end(): void;
}

/**
 * Ends when its input does, and the engine ends that when the connection of this process is gone, however it ended. Root's, so
 * that no command can end it, or make another: commands have no way to root and none to the engine.
 */
const WAIT = "echo here; read -r line";
const ENDING_MS = 1000;

/** The name of a standing process, which is in the arguments before its mark. */
export function standingName(role: StandingRole): string {
  return `skillwright-${role}`;
}

/**
 * Starts a process in the container that does nothing and that others see by `runningExecs`.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function standingExec(
  container: WorkspaceContainer,
  { role, mark }: { readonly role: StandingRole; readonly mark: string },
  options: CallOptions,
): Promise<StandingExec> {
  const shell = [container.shell, ...shellArguments(container), "-c", WAIT] as const;
  const exec = await startExec(
    container,
    { argv: [...shell, standingName(role), mark], as: "root", input: true },
    options,
  );
  let isThere = (_: boolean) => {};
  const there = new Promise<boolean>((resolve) => {
    isThere = resolve;
  });
  const read = async () => {
    for await (const { stream } of exec.output) if (stream === "stdout") isThere(true);
  };
  const over = read()
    .catch(() => undefined)
    .finally(() => {
      isThere(false);
      exec.close();
    });
  // An engine that hangs leaves the connection to be closed here.
  const end = () => {
    void exec.endInput();
    void Promise.race([over, setTimeout(ENDING_MS, undefined, { ref: false })]).then(exec.close);
  };
  return { there, over, end };
}
