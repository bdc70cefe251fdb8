import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { WorkspaceRecord } from "../../../packages/core/src/adapter.js";
import {
  byteStream,
  type RuntimeWorkspace,
  type WorkspaceRuntime,
} from "../../../packages/core/src/index.js";
import { systemClock } from "../../../packages/workspace/src/clock.js";
import {
  environmentStore,
  fsBootstrapCache,
  skillEnvironmentNeeds,
} from "../../../packages/workspace/src/index.js";
import { openWorkspaces } from "../../../packages/workspace/src/lifecycle/open-workspaces.js";
import type { SharedRecords } from "../../../packages/workspace/src/lifecycle/shared-records.js";
import { takesAtMost, zeros } from "../boundary.js";
import { file, isOverLimits, managed, ran, removedAfter } from "../fake-runs.js";
import { DAY, GIB, KIB, limitsOf, MIB, MINUTE } from "../limit.js";

export const workspaceLimits = limitsOf("workspace", [
  {
    option: "`upload`: a name",
    kind: "limit",
    value: 200,
    unit: "bytes",
    documented: ["src/upload/safe-file-name.ts", "limits it to 200 bytes"],
    source: ["src/upload/safe-file-name.ts", "MAX_BYTES = 200"],
    probe: async (value) => {
      const { workspaces, id } = await managed();
      const { skillPath } = await workspaces.upload(id, `${"n".repeat(3 * value)}.txt`, "x");
      expect(skillPath.split("/").at(-1)).toHaveLength(value);
    },
  },
  {
    option: "workspaces of a manager with a registry that stay open while no call uses them",
    kind: "limit",
    value: 1000,
    unit: "workspaces",
    documented: ["README.md", "at most 1,000 workspaces open"],
    source: ["src/lifecycle/open-workspaces.ts", "MOST_IDLE = 1000"],
    probe: (value) => {
      expect(openOf(value)).toBe(value);
      expect(openOf(value + 1)).toBe(value);
    },
  },
  {
    option: "directories of earlier runs, least",
    kind: "limit",
    value: 20,
    unit: "runs",
    documented: ["README.md", "The last 20 to 40 are kept"],
    source: ["src/run/remove-old-runs.ts", "KEPT = 20"],
    probe: async (value) => expect((await removedAfter(41)).kept).toBe(value),
  },
  {
    option: "directories of earlier runs, most",
    kind: "limit",
    value: 40,
    unit: "runs",
    documented: ["README.md", "The last 20 to 40 are kept"],
    source: ["src/run/remove-old-runs.ts", "MOST = 40"],
    probe: async (value) => {
      expect((await removedAfter(value)).kept).toBe(value);
      expect((await removedAfter(value + 1)).kept).toBeLessThan(value);
    },
  },
  {
    option: "`start`: `timeoutMs`",
    kind: "default",
    value: DAY,
    unit: "ms",
    documented: [
      "/packages/core/src/workspace/workspaces.ts",
      "Default and maximum of `timeoutMs` are 24 hours.",
    ],
    source: ["src/interactive/interactive-runs.ts", "MAX_TIMEOUT_MS = 24 * 60"],
    probe: async (value) => {
      const { workspaces, id, commands } = await managed();
      await (await workspaces.start?.(id, { command: "cat" }))?.result;
      expect(commands[0]?.timeoutMs).toBe(value);
      await takesAtMost(value, (timeoutMs) => workspaces.start?.(id, { command: "cat", timeoutMs }));
    },
  },
  {
    option: "bootstrap step: `timeoutMs`",
    kind: "default",
    value: 5 * MINUTE,
    unit: "ms",
    documented: ["README.md", "takes longer than `timeoutMs` (5 minutes each by default)"],
    source: ["src/bootstrap/run-commands.ts", "DEFAULT_TIMEOUT_MS = 300_000"],
    probe: async (value) => {
      const { commands } = await ran({}, {}, { bootstrap: [{ name: "one", commands: ["true"] }] });
      expect(commands[0]?.timeoutMs).toBe(value);
    },
  },
  {
    option: "`environmentStore`: `maxBytes`",
    kind: "default",
    value: 4 * GIB,
    unit: "bytes",
    documented: ["README.md", "up to `maxBytes` (4 GiB by"],
    source: ["src/environment/environment-store.ts", "DEFAULT_MAX_BYTES = 4 * 1024 ** 3"],
    probe: (value) =>
      withEnvironment(value - 1, DAY, async (store) => {
        async function* tree() {
          yield { path: "a", content: "x" };
        }
        const facts = {
          kind: "node",
          skill: "a",
          declaredIn: "package-lock.json",
          packages: [],
          digest: "",
        } as const;
        await store.add("b".repeat(64), facts, tree());
        expect(await store.list()).toHaveLength(2);
        await store.add("c".repeat(64), facts, tree());
        expect(await store.list()).toHaveLength(2);
      }),
  },
  {
    option: "prepared environment: not evicted after its last use",
    kind: "limit",
    value: 60 * MINUTE,
    unit: "ms",
    documented: ["README.md", "an environment used in the last hour stays"],
    source: ["src/environment/environment-store.ts", "IN_USE_MS = 60 * 60 * 1000"],
    probe: async (value) => {
      await withEnvironment(1, value - MINUTE, async (store) =>
        expect(await store.prune({ maxBytes: 0 })).toHaveLength(0),
      );
      await withEnvironment(1, value + MINUTE, async (store) =>
        expect(await store.prune({ maxBytes: 0 })).toHaveLength(1),
      );
    },
  },
  {
    option: "a file that locks a skill's packages",
    kind: "limit",
    value: 16 * MIB,
    unit: "bytes",
    documented: ["README.md", "A lockfile has at most 16 MiB."],
    source: ["src/environment/skill-environment-needs.ts", "MAX_LOCK_BYTES = 16 * 1024 * 1024"],
    probe: async (value) =>
      await takesAtMost(value, async (size) => {
        const content = Buffer.alloc(size, "#");
        const sha256 = createHash("sha256").update(content).digest("hex");
        const locked = { path: "requirements.txt", size, executable: false, sha256 };
        const skill = {
          name: "a",
          frontmatter: {},
          manifest: { formatVersion: 1, files: [locked] },
        } as const;
        await skillEnvironmentNeeds(skill, async () => byteStream(content));
      }),
  },
  {
    option: "scripts of a skill searched for a block of packages",
    kind: "limit",
    value: 100,
    unit: "scripts",
    documented: ["README.md", "The first 100 scripts of at most 64 KiB"],
    source: ["src/environment/declared-python-packages.ts", "MAX_SCRIPTS = 100"],
    probe: async (value) => expect(await reportedScripts(value + 1, 100)).toBe(value),
  },
  {
    option: "size of a script searched for a block of packages",
    kind: "limit",
    value: 64 * KIB,
    unit: "bytes",
    documented: ["README.md", "The first 100 scripts of at most 64 KiB"],
    source: ["src/environment/declared-python-packages.ts", "MAX_SCRIPT_BYTES = 64 * 1024"],
    probe: async (value) =>
      expect(await Promise.all([value, value + 1].map((size) => reportedScripts(1, size)))).toEqual([1, 0]),
  },
  {
    option: "`fsBootstrapCache`: `maxBytes`",
    kind: "default",
    value: 4 * GIB,
    unit: "bytes",
    documented: ["README.md", "`fsBootstrapCache` keeps to its size (4 GiB by default)"],
    source: ["src/bootstrap/fs-bootstrap-cache.ts", "DEFAULT_MAX_BYTES = 4 * 1024 ** 3"],
    probe: async (value) => {
      const root = await mkdtemp(join(tmpdir(), "skillwright-limits-"));
      try {
        const cache = fsBootstrapCache({ root });
        // Sparse files: their sizes count, and nothing is written.
        const big = join(root, `${"a".repeat(64)}.tar`);
        await writeFile(big, "");
        await truncate(big, value - 1);
        await cache.put("b".repeat(64), zeros(1));
        expect(await readdir(root)).toHaveLength(2);
        await cache.put("c".repeat(64), zeros(1));
        expect(await readdir(root)).toHaveLength(2);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  },
  {
    option: "`restore`: `limits.files`",
    kind: "default",
    value: 100_000,
    unit: "files",
    documented: ["README.md", "at most 100,000 files and 4 GiB (`limits`)"],
    source: ["src/snapshot/snapshot-limits.ts", "files: 100_000"],
    probe: async (value) => {
      const files = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`out/${n}`, file(0)]));
      expect([await isOverLimits(files(value)), await isOverLimits(files(value + 1))]).toEqual([false, true]);
    },
  },
  {
    option: "`restore`: `limits.bytes`",
    kind: "default",
    value: 4 * GIB,
    unit: "bytes",
    documented: ["README.md", "at most 100,000 files and 4 GiB (`limits`)"],
    source: ["src/snapshot/snapshot-limits.ts", "bytes: 4 * 1024 ** 3"],
    probe: async (value) =>
      expect([
        await isOverLimits({ "out/a": file(value) }),
        await isOverLimits({ "out/a": file(value + 1) }),
      ]).toEqual([false, true]),
  },
]);

/** One stored environment, as if it had that size and was last used so long ago. */
async function withEnvironment(
  bytes: number,
  agoMs: number,
  work: (store: ReturnType<typeof environmentStore>) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "skillwright-limits-"));
  const store = environmentStore({ root });
  try {
    const directory = join(root, "a".repeat(64));
    await mkdir(directory);
    await writeFile(join(directory, "environment.json"), JSON.stringify({ formatVersion: 1, bytes }));
    const then = new Date(Date.now() - agoMs);
    await utimes(join(directory, "environment.json"), then, then);
    await work(store);
  } finally {
    await store.prune({ maxBytes: 0, inUse: false });
    await rm(root, { recursive: true, force: true });
  }
}

/** Uses `count` workspaces, and returns how many of them are open afterwards. */
function openOf(count: number): number {
  const none = async () => undefined;
  const records = { isShared: true, get: none, put: none, touch: none } as unknown as SharedRecords;
  const workspaces = openWorkspaces({
    runtime: {} as WorkspaceRuntime,
    clock: systemClock(),
    records,
    isUnusable: () => false,
  });
  for (let at = 0; at < count; at++)
    workspaces.add({ id: `ws_${at}` } as RuntimeWorkspace, undefined, {} as WorkspaceRecord);
  return workspaces.all().length;
}

/** How many of so many scripts, which all name a package, are reported. */
async function reportedScripts(count: number, size: number): Promise<number> {
  const block = '# /// script\n# dependencies = ["alpha"]\n# ///\n';
  const content = Buffer.from(block.padEnd(size, "#"));
  const sha256 = createHash("sha256").update(content).digest("hex");
  const files = Array.from({ length: count }, (_, at) => ({
    path: `scripts/${at}.py`,
    size,
    executable: false,
    sha256,
  }));
  const skill = { name: "a", frontmatter: {}, manifest: { formatVersion: 1, files } } as const;
  return (await skillEnvironmentNeeds(skill, async () => content)).diagnostics.length;
}
