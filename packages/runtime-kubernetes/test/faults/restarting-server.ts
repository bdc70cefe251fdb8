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

/** The cluster removes claims that no process finished after twice the time of a start. */
export function optionsIn({ options }: TestNamespace): KubernetesRuntimeOptions {
  return { ...options, callTimeoutMs: 10_000, startTimeoutMs: 60_000 };
}

/**
 * Kills the API server, everything that watches it, and starts them, so that the test does not depend on how often the server was killed
 * before: after each lost watch, a part waits twice as long before it looks again. In most clusters scheduler and controllers exit when they
 * cannot reach the API server for ten seconds, because they cannot renew their leases. The tests' cluster has no leader election, so they
 * would see new objects up to two minutes late, and the garbage collector, which may ask the new API server for all kinds of objects before
 * that server knows those of agent-sandbox, would leave the Sandbox of a removed claim for up to 1,000 seconds. kubelet goes on in every
 * cluster, and may see a new pod more than a minute late after several restarts.
 */
export async function restarted(): Promise<void> {
  await Promise.all(["apiserver", "scheduler", "controllers", "agent-sandbox", "kubelet"].map(killPart));
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
  expect(outcome.message).toMatch(/\. (?:Check|Try|Use|Raise|Look) /);
}

export async function printed(workspace: RuntimeWorkspace, text: string): Promise<string> {
  return (await run(workspace, command(text))).stdout.text;
}

export function command(text: string, kept?: string): RunCommand {
  const runId = kept ?? `run-${randomBytes(8).toString("hex")}`;
  const limits = { timeoutMs: 240_000, maxOutputBytes: 65_536 };
  return { runId, command: text, cwd: ".", env: {}, ...limits, keep: kept !== undefined };
}
