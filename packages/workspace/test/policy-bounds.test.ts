import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Diagnostic, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  archiveAndDestroy,
  destroy,
  idleFor,
  type PolicyWorkspace,
  policy,
  workspaceManager,
} from "../src/index.js";
import { type Fixture, SESSION, textOf, workspaceFixture } from "./workspace-fixture.js";

const script = fileURLToPath(new URL("children/hanging-policy.mjs", import.meta.url));
const session = (name: string) => ({ ...SESSION, session: name });
const never = () => new Promise<never>(() => undefined);
const code = (wanted: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === wanted);
/** Longer than the test, so that only sweep() applies the policies. */
const SELDOM = "1h";
/** What does not hang, such as listing directories, ends within it on a busy machine too. */
const TIMEOUT = "1s";

test("refuses to archive a sparse file of 2 TiB without reading it, and archives the other workspaces", async () => {
  const told: Diagnostic[] = [];
  const archived: string[] = [];
  await using fixture = await workspaceFixture("none", {
    policies: [
      policy({
        when: () => true,
        do: archiveAndDestroy({
          save: async ({ record, content }) => {
            for await (const _ of content);
            archived.push(record.workspaceId);
          },
        }),
      }),
    ],
    policyInterval: SELDOM,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const sparse = await fixture.workspaces.forSession(session("sparse"));
  const plain = await fixture.workspaces.forSession(session("plain"));
  await fixture.workspaces.run(sparse.id, { command: "truncate -s 2T out/holes" });
  await fixture.workspaces.write(plain.id, "out/a", "a");
  await fixture.workspaces.sweep();
  expect(archived).toEqual([plain.id]);
  expect(await fixture.runtime.list()).toEqual([sparse.id]);
  expect(told).toMatchObject([{ code: "policy.failed" }]);
  expect(told[0]?.message).toContain(sparse.id);
  expect(told[0]?.message).toContain("2199023255552 bytes");
});

test("hooks that never settle delay neither the sweep of the other workspaces nor closing", async () => {
  const told: Diagnostic[] = [];
  const begun: string[] = [];
  const hang = ({ id }: PolicyWorkspace) => {
    begun.push(id);
    return never();
  };
  await using fixture = await workspaceFixture("none", {
    policies: [
      policy({ when: (workspace) => (owns(workspace, "stuck-a") ? hang(workspace) : false), do: destroy() }),
      policy({ when: (workspace) => owns(workspace, "stuck-b"), do: hang }),
      policy({ when: (workspace) => owns(workspace, "stuck-c"), do: archiveAndDestroy(hang) }),
      policy({ when: (workspace) => owns(workspace, "plain"), do: destroy() }),
    ],
    policyInterval: SELDOM,
    policyLimits: { timeout: TIMEOUT },
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const stuck: string[] = [];
  for (const kind of ["a", "b", "c"])
    for (const number of [1, 2, 3])
      stuck.push((await fixture.workspaces.forSession(session(`stuck-${kind}${number}`))).id);
  stuck.sort();
  await fixture.workspaces.forSession(session("plain"));
  await fixture.workspaces.sweep();
  await left(fixture, stuck);
  expect(begun.sort()).toEqual(stuck);
  for (const id of stuck)
    expect(told.find(({ message }) => message.includes(id))).toMatchObject({
      code: "policy.failed",
      message: expect.stringContaining("1000 ms"),
    });
  // A hanging hook is not started a second time.
  await fixture.workspaces.sweep();
  expect(begun.length).toBe(stuck.length);
  // And its workspace can be used.
  const { exitCode } = await fixture.workspaces.run(stuck.at(-1) ?? "", { command: "true" });
  expect(exitCode).toBe(0);
  await fixture.workspaces.close();
});

test("a sweep and a close that wait for a hook that never settles keep their process alive", async () => {
  const root = await mkdtemp(join(tmpdir(), "hanging-policy-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const { stdout } = await promisify(execFile)(process.execPath, [script, root]);
  const hint =
    "The policy is not asked again about this workspace until its function has settled. Find out why it hangs, or raise the timeout of policyLimits.";
  expect(stdout.trim().split("\n")).toEqual([hint, "swept", "closed"]);
});

test("a workspace whose hook hangs is left to later policies once the hook times out", async () => {
  await using fixture = await workspaceFixture("none", {
    policies: [policy({ when: () => true, do: never }), policy({ when: idleFor("1ms"), do: destroy() })],
    policyInterval: SELDOM,
    policyLimits: { timeout: TIMEOUT },
  });
  await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.sweep();
  await fixture.workspaces.sweep();
  await left(fixture, []);
});

test("reads of a hook end at its timeout", async () => {
  let download: PolicyWorkspace["download"] | undefined;
  let signal: AbortSignal | undefined;
  await using fixture = await workspaceFixture("none", {
    policies: [
      policy({
        when: () => true,
        do: (workspace) => {
          ({ download, signal } = workspace);
          return never();
        },
      }),
    ],
    policyInterval: SELDOM,
    policyLimits: { timeout: TIMEOUT },
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.write(id, "out/a", "a");
  await fixture.workspaces.sweep();
  expect(signal?.aborted).toBe(true);
  await expect(download?.("out/a")).rejects.toThrow(code("ABORTED"));
});

test("reads of a hook end at its limit of bytes", async () => {
  const seen: unknown[] = [];
  await using fixture = await workspaceFixture("none", {
    policies: [
      policy({
        when: () => true,
        do: async ({ download }) => {
          seen.push(await textOf(await download("out/small")));
          seen.push(await textOf(await download("out/large")).catch((error: unknown) => error));
        },
      }),
    ],
    policyInterval: SELDOM,
    policyLimits: { bytes: 1000 },
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.write(id, "out/small", "small");
  await fixture.workspaces.write(id, "out/large", "x".repeat(1000));
  await fixture.workspaces.sweep();
  expect(seen).toEqual(["small", code("LIMIT_EXCEEDED")]);
});

test("a runtime that never finishes a destruction delays neither sweep nor close", async () => {
  await using fixture = await workspaceFixture("none");
  const told: Diagnostic[] = [];
  const registry = recordRegistry(memoryRecords());
  const runtime: WorkspaceRuntime = { ...fixture.runtime, destroy: never };
  const now = new Date().toISOString();
  const record = { formatVersion: 1, createdAt: now, lastUsedAt: now } as const;
  await registry.put({ ...record, workspaceId: `ws_${"1".repeat(32)}`, state: "destroying" });
  const workspaces = workspaceManager({
    skills: fixture.skills,
    runtime,
    registry,
    policies: [policy({ when: () => true, do: destroy() })],
    policyInterval: SELDOM,
    policyLimits: { timeout: TIMEOUT },
    destroyOnClose: true,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const { diagnostics } = await workspaces.sweep();
  expect(diagnostics).toMatchObject([{ code: "sweep.failed" }]);
  await workspaces.create();
  await workspaces.sweep();
  await expect(workspaces.close()).rejects.toThrow(code("LIMIT_EXCEEDED"));
  expect(told.map((diagnostic) => diagnostic.code)).toContain("policy.failed");
});

test("a limit of 0 files lets no snapshot of a file through", async () => {
  const told: Diagnostic[] = [];
  await using fixture = await workspaceFixture("none", {
    policies: [policy({ when: () => true, do: archiveAndDestroy({ save: async () => undefined }) })],
    policyInterval: SELDOM,
    policyLimits: { files: 0 },
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.write(id, "out/a", "a");
  await fixture.workspaces.sweep();
  expect(await fixture.runtime.list()).toEqual([id]);
  expect(told).toMatchObject([{ code: "policy.failed", message: expect.stringContaining("files") }]);
});

test("without policies, a destruction that failed is left to the sweep, and no policy is said to have failed", async () => {
  await using fixture = await workspaceFixture("none");
  const told: Diagnostic[] = [];
  const runtime: WorkspaceRuntime = { ...fixture.runtime, destroy: () => Promise.reject(new Error("busy")) };
  await using workspaces = workspaceManager({
    skills: fixture.skills,
    runtime,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const { id } = await workspaces.create();
  await expect(workspaces.destroy(id)).rejects.toThrow("busy");
  expect((await workspaces.sweep()).diagnostics).toMatchObject([{ code: "sweep.failed" }]);
  expect(told).toEqual([]);
});

test.each([{ timeout: "soon" }, { bytes: -1 }, { files: 1.5 }, { files: -1 }])(
  "invalid limits of policies are refused (%o)",
  async (policyLimits) => {
    await expect(workspaceFixture("none", { policyLimits })).rejects.toThrow(code("CONFIG_INVALID"));
  },
);

/** A destruction that took longer than its operation may still be in progress. */
async function left(fixture: Fixture, ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await fixture.runtime.list()).toEqual(ids), { timeout: 180_000 });
}

function owns({ session: owner }: PolicyWorkspace, prefix: string): boolean {
  return owner?.session.startsWith(prefix) ?? false;
}
