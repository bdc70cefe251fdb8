import { mkdirSync } from "node:fs";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { SkillSeed } from "../../../packages/contracts/src/index.js";
import { skillMarkdown } from "../../../packages/contracts/src/index.js";
import { fsRepository } from "../../../packages/repository-fs/src/index.js";
import { temporaryDirectory, writeSkills } from "../../../packages/repository-fs/test/fs-subject.js";
import { gitRepository } from "../../../packages/repository-git/src/index.js";
import { cacheOf, type Origin, origin, skill } from "../../../packages/repository-git/test/git-subject.js";
import { memoryRepository } from "../../../packages/repository-memory/src/index.js";
import { delaysOf } from "../boundary.js";
import { DAY, limitsOf, MINUTE } from "../limit.js";

const FS_SCAN = "src/skills/scan-options.ts";
const FS_WATCH = "src/watch/watch-options.ts";

export const fsLimits = limitsOf("repository-fs", [
  {
    option: "`limits.depth`",
    kind: "default",
    value: 6,
    unit: "directories",
    documented: ["README.md", "at any depth up to `limits.depth` (6)"],
    source: [FS_SCAN, "depth = 6"],
    probe: async (value) => expect(await inFolder(atDepths(value), paths)).toEqual([value]),
  },
  {
    option: "`limits.directories`",
    kind: "default",
    value: 2000,
    unit: "directories",
    documented: [
      "README.md",
      "at most `limits.directories` (2,000) directories that are not skills are searched",
    ],
    source: [FS_SCAN, "directories = 2000"],
    probe: async (value) => {
      const codes = await inFolder({}, async (root) => {
        const list = async () => (await fsRepository({ root }).list()).diagnostics.map(({ code }) => code);
        // The root counts as one.
        for (let n = 1; n < value; n++) mkdirSync(join(root, `d${n}`));
        const found = [await list()];
        mkdirSync(join(root, "more"));
        return [...found, await list()];
      });
      expect(codes).toEqual([[], ["scan.directories"]]);
    },
  },
  {
    option: "`keepDeleted`",
    kind: "default",
    value: 32,
    unit: "skills",
    documented: ["README.md", "the latest `keepDeleted` (32)"],
    source: ["src/fs-repository.ts", "keepDeleted = 32"],
    probe: async (value) => {
      const kept = await inFolder({}, async (root) => {
        const repository = fsRepository({ root });
        for (let n = 0; n <= value; n++) {
          await writeSkills(root, { one: { "SKILL.md": skillMarkdown("one") } });
          await repository.delete("one");
        }
        return await repository.deleted();
      });
      expect(kept).toHaveLength(value);
    },
  },
  {
    option: "`history.versions`",
    kind: "default",
    value: 32,
    unit: "versions",
    documented: ["README.md", "`history.versions` (32)"],
    source: ["src/history/keep-version.ts", "versions = 32"],
    probe: async (value) => {
      const kept = await inFolder({}, async (root) => {
        const repository = fsRepository({ root });
        for (let n = 0; n < value + 2; n++)
          await repository.upload([{ path: "SKILL.md", content: skillMarkdown("one", { body: String(n) }) }]);
        return await repository.versions("one");
      });
      // The content in place is one more.
      expect(kept).toHaveLength(value + 1);
    },
  },
  {
    option: "`history.bytes`",
    kind: "default",
    value: 64 * 1024 * 1024,
    unit: "bytes",
    documented: ["README.md", "`history.bytes` (64 MiB)"],
    source: ["src/history/keep-version.ts", "bytes: most = 64 * 1024 * 1024"],
    probe: async (value) => {
      const kept = await inFolder({}, async (root) => {
        const repository = fsRepository({ root });
        const content = new Uint8Array(value / 5);
        for (let n = 0; n < 6; n++) {
          content[0] = n;
          await repository.upload([
            { path: "SKILL.md", content: skillMarkdown("one") },
            { path: "assets/x", content },
          ]);
        }
        return await repository.versions("one");
      });
      // Five with their SKILL.md are above the limit; four and the content in place stay.
      expect(kept).toHaveLength(5);
    },
  },
  {
    option: "`watch.stableMs`",
    kind: "default",
    value: 200,
    unit: "ms",
    documented: ["README.md", "a quiet period of `watch.stableMs` (200)"],
    source: [FS_WATCH, "stableMs = 200"],
    probe: async (value) => expect(await watchDelays({ method: "events" })).toContain(value),
  },
  {
    option: "`watch.pollMs`",
    kind: "default",
    value: 2000,
    unit: "ms",
    documented: ["README.md", "the directory is polled every `watch.pollMs` (2,000)"],
    source: [FS_WATCH, "pollMs = 2000"],
    probe: async (value) => expect(await watchDelays({ method: "poll" }, [value])).toContain(value),
  },
]);

export const gitLimits = limitsOf("repository-git", [
  {
    option: "`limits.depth`",
    kind: "default",
    value: 6,
    unit: "directories",
    documented: ["README.md", "`depth` 6, `entries` 100,000"],
    source: ["src/git-repository.ts", "limits.depth ?? 6"],
    probe: async (value) =>
      expect(
        await inOrigin(async (place) => {
          await place.commit(atDepths(value));
          return (await opened(place).list()).skills.map(({ path }) => path.split("/").length);
        }),
      ).toEqual([value]),
  },
  {
    option: "`limits.entries`",
    kind: "default",
    value: 100_000,
    unit: "files",
    documented: ["README.md", "`depth` 6, `entries` 100,000"],
    source: ["src/git-repository.ts", "limits.entries ?? 100_000"],
    probe: async (value) => {
      const codes = await inOrigin(async (place) => {
        const told: string[][] = [];
        for (const count of [value, value + 1]) {
          commitFiles(place, count);
          told.push((await opened(place).list()).diagnostics.map(({ code }) => code));
        }
        return told;
      });
      expect(codes).toEqual([[], ["scan.entries"]]);
    },
  },
  {
    option: "`timeoutMs`",
    kind: "default",
    value: 5 * MINUTE,
    unit: "ms",
    documented: ["README.md", "| `timeoutMs` | 300,000 |"],
    source: ["src/git-repository.ts", "timeoutMs = 300_000"],
    probe: async (value) => {
      const delays = await inOrigin(async (place) => {
        await place.commit(skill("one"));
        return await delaysOf(async () => await opened(place).list());
      });
      expect(delays).toContain(value);
    },
  },
  {
    option: "a commit in the cache that nobody used",
    kind: "limit",
    value: 30 * DAY,
    unit: "ms",
    documented: [
      "README.md",
      "Repositories that were not used for 30 days are removed when a new one is added.",
    ],
    source: ["src/snapshots/snapshot-folder.ts", "UNUSED_MS = 30 * DAY_MS"],
    probe: async (value) => {
      const left = await inOrigin(async (place) => {
        const counts: number[] = [];
        for (const unusedMs of [value - DAY, value + DAY]) {
          await place.commit(skill(`at-${unusedMs}`));
          await opened(place).list();
          const folder = await cacheOf(place);
          const then = new Date(Date.now() - unusedMs);
          for (const name of await readdir(folder)) await utimes(join(folder, name), then, then);
          await place.commit(skill(`after-${unusedMs}`));
          await opened(place).list();
          counts.push((await readdir(folder)).length);
        }
        return counts;
      });
      expect(left).toEqual([2, 1]);
    },
  },
]);

export const memoryLimits = limitsOf("repository-memory", [
  {
    option: "deleted skills that can be restored",
    kind: "limit",
    value: 32,
    unit: "skills",
    documented: ["src/memory-repository.ts", "The 32 most recently deleted skills can be restored"],
    source: ["src/deleted-skills.ts", "MAX_KEPT = 32"],
    probe: async (value) => {
      const repository = memoryRepository();
      for (let n = 0; n <= value; n++) {
        await repository.upload([{ path: "SKILL.md", content: skillMarkdown("one") }]);
        await repository.delete("one");
      }
      expect(await repository.deleted()).toHaveLength(value);
    },
  },
]);

/** One skill at this depth, and one a directory deeper. */
function atDepths(depth: number): SkillSeed {
  const path = (levels: number) =>
    [...Array(levels - 1).keys()]
      .map((n) => `g${n}`)
      .concat(`s${levels}`)
      .join("/");
  return Object.fromEntries(
    [depth, depth + 1].map((levels) => [path(levels), { "SKILL.md": skillMarkdown(`s${levels}`) }]),
  );
}

async function inFolder<T>(skills: SkillSeed, work: (root: string) => Promise<T>): Promise<T> {
  const { root, dispose } = await temporaryDirectory();
  try {
    await writeSkills(root, skills);
    return await work(root);
  } finally {
    await dispose();
  }
}

async function paths(root: string): Promise<number[]> {
  return (await fsRepository({ root }).list()).skills.map(({ path }) => path.split("/").length);
}

/** The delays of the timers until a change of a watched directory is reported. */
async function watchDelays(watch: { method: "events" | "poll" }, atOnce: readonly number[] = []) {
  return await inFolder({ one: { "SKILL.md": skillMarkdown("one") } }, (root) =>
    delaysOf(async () => {
      const repository = fsRepository({ root, watch });
      let tell = () => {};
      const told = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const watching = await repository.watch(() => tell());
      await writeFile(join(root, "one/SKILL.md"), skillMarkdown("one", { description: "Other." }));
      await told;
      await watching.close();
      await repository.close();
    }, atOnce),
  );
}

async function inOrigin<T>(work: (place: Origin) => Promise<T>): Promise<T> {
  const place = await origin();
  try {
    return await work(place);
  } finally {
    await place.dispose();
  }
}

function opened({ directory, cache }: Origin) {
  return gitRepository({ url: directory, cache, allowLocal: true });
}

/** A commit of so many files with the same content, created without writing them. */
function commitFiles(place: Origin, count: number): void {
  const blob = Buffer.from(place.store("blob", Buffer.from("x")), "hex");
  const names = Array.from({ length: count }, (_, n) => `f${String(n).padStart(7, "0")}`);
  const tree = place.store(
    "tree",
    Buffer.concat(names.flatMap((name) => [Buffer.from(`100644 ${name}\0`), blob])),
  );
  place.git("update-ref", "refs/heads/main", place.git("commit-tree", tree, "-m", "many"));
}
