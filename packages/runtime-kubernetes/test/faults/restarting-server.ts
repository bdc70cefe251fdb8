import { randomBytes } from "node:crypto";
import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { type RunCommand, run } from "@skillwright/core/adapter";
import { afterEach, expect } from "vitest";
import { leftOfWorkspaces } from "../../../../scripts/cluster/left-of-workspaces.mjs";
import { isFull } from "../../../../test/full-form.js";
import { type KubernetesRuntimeOptions, kubernetesRuntime } from "../../src/index.js";
import { onOwnCluster, type TestNamespace } from "../cluster-setup/cluster.js";
import { killPart, startAllParts } from "./cluster-parts.js";

const WAYS = { "a pod on runc": undefined, "a claimed sandbox on gVisor": { runtimeClassName: "gvisor" } };

/**
 * Registers the suite for both ways, in the short form for the named one: a restart takes half a minute. After each test another process sweeps, and nothing of a workspace may
 * be left.
 */
export function onRestarts(
  title: string,
  short: keyof typeof WAYS,
  suite: (namespace: () => TestNamespace) => void,
): void {
  for (const [way, pool] of Object.entries(WAYS).filter(([way]) => isFull || way === short))
    onOwnCluster(
      `${title}, ${way}`,
      (namespace) => {
        afterEach(async () => {
          await startAllParts();
          await using last = kubernetesRuntime(optionsIn(namespace()));
          for (const id of await last.list()) await last.destroy(id);
          await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
        });
        suite(namespace);
      },
      pool,
    );
}

/**
 * A start may take more than a minute: after each lost watch, kubelet waits twice as long before it asks for new pods, up to 30 s and as much
 * again by chance. The cluster removes claims that no process finished after twice the time of a start.
 */
export function optionsIn({ options }: TestNamespace): KubernetesRuntimeOptions {
  return { ...options, callTimeoutMs: 10_000, startTimeoutMs: 85_000 };
}

/**
 * Kills the API server, the scheduler and the controllers, and starts them. In most clusters these have leader election: they exit when they
 * cannot reach the API server for ten seconds, because they cannot renew their leases. The tests' cluster has none, and they would go on.
 * The scheduler and the controller of agent-sandbox then see new objects up to two minutes late. The garbage collector asks the new API server
 * for all kinds of objects too early, before that server knows the kinds of agent-sandbox, and waits up to 1,000 seconds before it removes
 * the Sandbox of a removed claim.
 */
export async function restarted(): Promise<void> {
  await Promise.all(["apiserver", "scheduler", "controllers", "agent-sandbox"].map(killPart));
  await startAllParts();
}

/** Resolves to the value, or to the error if it is a SkillError. */
export async function settled<T>(work: Promise<T>): Promise<T | SkillError> {
  return await work.catch((error: unknown) => {
    if (SkillError.is(error)) return error;
    throw error;
  });
}

/** Checks that the error names the thing, the fault and a remedy, and that the remedy is not to change rights. */
export function expectUseful(outcome: unknown): void {
  if (!SkillError.is(outcome)) return;
  expect(outcome.code).toBe("BACKEND_FAILED");
  expect(outcome.message).toMatch(/\b(?:w\d|pod|workspace|command|SandboxClaim|API server)\b/);
  expect(outcome.message).toMatch(/\. (?:Check|Try|Use|Raise) /);
}

export async function printed(workspace: RuntimeWorkspace, text: string): Promise<string> {
  return (await run(workspace, command(text))).stdout.text;
}

export function command(text: string, kept?: string): RunCommand {
  const runId = kept ?? `run-${randomBytes(8).toString("hex")}`;
  const limits = { timeoutMs: 240_000, maxOutputBytes: 65_536 };
  return { runId, command: text, cwd: ".", env: {}, ...limits, keep: kept !== undefined };
}
