import { setTimeout } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import { shellArguments } from "../exec/shell-arguments.js";
import { startExec } from "../exec/start-exec.js";
import type { WorkspaceContainer } from "./workspace-container.js";

/**
 * Purpose of a standing process: to show that a host waits for its runs, or that it is changing the container's limits.
 */
export type StandingRole = "presence" | "turn";

export interface StandingExec {
  /** Resolves to true once the process runs, to false where it ended first. */
  readonly there: Promise<boolean>;
  /** Settles when it has ended, or the connection is lost. */
  readonly over: Promise<void>;
  end(): void;
}

/**
 * Ends with its input, which the engine closes when the connection of this process is lost for any reason. It belongs
 * to root, so that commands can neither end it nor create one: they have no access to root or the engine.
 */
const WAIT = "echo here; read -r line";
const ENDING_MS = 1000;

/** The name of a standing process, which precedes its mark in the arguments. */
export function standingName(role: StandingRole): string {
  return `skillwright-${role}`;
}

/**
 * Starts an idle process in the container that other hosts see with `runningExecs`.
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
  // If the engine hangs, the connection is closed here.
  const end = () => {
    void exec.endInput();
    void Promise.race([over, setTimeout(ENDING_MS, undefined, { ref: false })]).then(exec.close);
  };
  return { there, over, end };
}
