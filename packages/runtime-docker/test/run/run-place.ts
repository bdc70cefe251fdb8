import { randomBytes } from "node:crypto";
import type { RunResult, RuntimeWorkspace } from "@skillwright/core";
import { type RunCommand, type RunHandle, run } from "@skillwright/core/adapter";
import { removeContainer, removeVolume } from "../../src/container/remove-container.js";
import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import type { DockerRuntimeOptions } from "../../src/docker-runtime-options.js";
import { startRun } from "../../src/run/start-run.js";
import { type RuntimeState, runtimeState } from "../../src/runtime-state.js";

/** A container of a workspace in which commands run, without files and skills. */
export interface RunPlace {
  readonly container: WorkspaceContainer;
  readonly start: RuntimeWorkspace["start"];
  readonly state: RuntimeState;
  dispose(): Promise<void>;
}

export async function runPlace(options: DockerRuntimeOptions): Promise<RunPlace> {
  const namespace = `run-${randomBytes(6).toString("hex")}`;
  const state = runtimeState({ namespace, ...options });
  const container = await state.makeContainer("w1", {});
  async function dispose(): Promise<void> {
    await removeContainer(container.engine, container.container.id);
    await removeVolume(container.engine, container.volume);
    await state.close();
  }
  return { container, start: startIn(state, container), state, dispose };
}

export function startIn(state: RuntimeState, container: WorkspaceContainer): RuntimeWorkspace["start"] {
  return async (command, options = {}) => {
    const { isolation, limits: enforced, programs = [] } = (await state.findings(options)).capabilities;
    const { live, leaseMs, closed } = state;
    const means = { live, leaseMs, closed, isolation, enforced, programs };
    return await startRun(container, command, { ...options, means });
  };
}

/** Runs the text in the workspace's root by default. */
export async function runText(
  { start }: Pick<RunPlace, "start">,
  text: string,
  more: Partial<RunCommand> = {},
): Promise<RunResult> {
  return await run({ start } as RuntimeWorkspace, command(text, more));
}

/** A command with its own run id, in the root, with generous limits. */
export function command(text: string, more: Partial<RunCommand> = {}): RunCommand {
  const runId = randomBytes(8).toString("hex");
  const base = { runId, command: text, cwd: ".", env: {}, timeoutMs: 120_000, maxOutputBytes: 64 * 1024 };
  return { ...base, ...more };
}

/** Starts the text and waits until it has written something. */
export async function started(place: Pick<RunPlace, "start">, text: string): Promise<RunHandle> {
  const handle = await place.start(command(text));
  for await (const _ of handle.output()) break;
  return handle;
}

/** Standard output of a command that succeeds. */
export async function printed(
  place: Pick<RunPlace, "start">,
  text: string,
  more: Partial<RunCommand> = {},
): Promise<string> {
  const { exitCode, stdout, stderr } = await runText(place, text, more);
  if (exitCode !== 0) throw new Error(`${text} ended with ${exitCode}: ${stderr.text}`);
  return stdout.text;
}
