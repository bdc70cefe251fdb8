import assert from "node:assert/strict";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { failsWith, inTime } from "@skillwright/contracts";
import { skillFile, skillFiles } from "../skill-file.js";
import { ALPHA, type CachedPromise, textOf } from "./cached-subject.js";
import { countedRepository } from "./counted-repository.js";

export const cachedPromises: readonly CachedPromise[] = [
  {
    id: "cached/warm",
    promise:
      "A warm load costs a listing, files a listing too, and the repository is asked for nothing else.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository, asks } = countedRepository(ALPHA);
      const skills = cached(repository, { content: store() });
      const cold = await skills.load("alpha");
      const reads = ["read SKILL.md", "read docs/a.md", "read large.txt"];
      assert.deepEqual(asks(), ["list", "load alpha", "reader alpha", ...reads]);
      assert.deepEqual(await skills.load("alpha"), cold);
      assert.deepEqual(asks(), ["list"]);
      assert.equal(await textOf(skills.open("alpha", "docs/a.md")), "# A\n");
      const read = await skills.reader("alpha");
      assert.equal(await textOf(read("large.txt")), ALPHA.alpha["large.txt"]);
      assert.deepEqual(asks(), ["list", "list"]);
    },
  },
  {
    id: "cached/second-process",
    promise: "A second process on the machine fetches nothing but the listing.",
    seed: undefined,
    run: async ({ store, cached }) => {
      for (const tellsDigests of [true, false]) {
        const { repository, asks } = countedRepository(ALPHA, { tellsDigests });
        const process = () => cached(repository, { content: store(), name: `bucket ${tellsDigests}` });
        const cold = await process().load("alpha");
        asks();
        assert.deepEqual(await process().load("alpha"), cold);
        const later = process();
        await later.load("alpha");
        assert.equal(await textOf((await later.reader("alpha"))("docs/a.md")), "# A\n");
        assert.deepEqual(asks(), ["list", "list", "list"]);
      }
    },
  },
  {
    id: "cached/changed",
    promise: "A skill that the listing shows changed is loaded anew, and its files are the new ones.",
    seed: undefined,
    run: async ({ store, cached }) => {
      for (const tellsDigests of [true, false]) {
        const { repository } = countedRepository(ALPHA, { tellsDigests });
        const skills = cached(repository, { content: store(), name: `bucket ${tellsDigests}` });
        const before = await skills.load("alpha");
        await repository.upload([
          { path: "SKILL.md", content: skillFile("alpha", undefined, "Changed.")["SKILL.md"] },
          { path: "docs/a.md", content: "# B\n" },
        ]);
        const after = await skills.load("alpha");
        assert.notEqual(after.digest, before.digest);
        assert.equal(after.body, "Changed.");
        assert.equal(await textOf(skills.open("alpha", "docs/a.md")), "# B\n");
        await failsWith(skills.open("alpha", "large.txt"), "FILE_NOT_FOUND");
      }
    },
  },
  {
    id: "cached/checked",
    promise:
      "Content that was changed in the content store is not returned; it is read from the repository instead.",
    seed: undefined,
    run: async ({ root, store, cached }) => {
      const { repository, asks } = countedRepository(ALPHA);
      const content = store();
      const { digest, manifest } = await cached(repository, { content }).load("alpha");
      await damage(root, digest, "docs/a.md", "# E\n");
      asks();
      const skills = cached(repository, { content: store() });
      assert.deepEqual((await skills.load("alpha")).manifest, manifest);
      assert.equal(await textOf((await skills.reader("alpha"))("docs/a.md")), "# A\n");
      assert.deepEqual(
        asks().filter((ask) => ask !== "list"),
        ["load alpha", "reader alpha", "read docs/a.md"],
      );
    },
  },
  {
    id: "cached/failing-repository",
    promise:
      "A repository that fails is told, whatever is stored; where its listing misses a part it is asked itself.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository, asks, fail } = countedRepository(ALPHA);
      const skills = cached(repository, { content: store() });
      await skills.load("alpha");
      fail(true);
      for (const call of [
        () => skills.load("alpha"),
        () => skills.open("alpha", "SKILL.md"),
        () => skills.reader("alpha"),
        () => skills.list(),
      ])
        await failsWith(call(), "BACKEND_FAILED");
      fail(false);
      asks();
      const part = { code: "repository.failed", severity: "error", message: "Cut.", hint: "Mend." } as const;
      const cut = {
        ...repository,
        list: async () => ({ ...(await repository.list()), diagnostics: [part] }),
      };
      const others = cached(cut, { content: store() });
      await others.load("alpha");
      await others.load("alpha");
      assert.equal(asks().filter((ask) => ask === "load alpha").length, 2);
    },
  },
  {
    id: "cached/broken-load",
    promise: "A missing or broken skill fails with the error of the repository.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository } = countedRepository({ ...ALPHA, broken: { "SKILL.md": "no header" } });
      const skills = cached(repository, { content: store() });
      await failsWith(skills.load("nobody"), "SKILL_NOT_FOUND");
      await failsWith(skills.load("broken"), "SKILL_INVALID");
      assert.equal(await textOf(skills.open("broken", "SKILL.md")), "no header");
    },
  },
  {
    id: "cached/staging",
    promise: "Staging through the cache into the same content store does not deadlock.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository } = countedRepository(ALPHA);
      const content = store();
      const skills = cached(repository, { content });
      const { manifest } = await repository.load("alpha");
      const open = async (path: string) => await (await skills.reader("alpha"))(path);
      const lease = await inTime(content.materialize(manifest, open, { owner: "w" }), "Staging");
      assert.equal(await readFile(join(lease.directory, "docs/a.md"), "utf8"), "# A\n");
    },
  },
  {
    id: "cached/leased",
    promise:
      "A collection leaves what was used last, takes what was used before, and everything after `close`.",
    seed: undefined,
    run: async ({ root, store, cached }) => {
      const { repository } = countedRepository(skillFiles("alpha", "beta", "gamma"));
      const content = store();
      const skills = cached(repository, { content, limits: { skills: 2 } });
      const isLive = (owner: string) => owner.startsWith(skills.leaseOwner);
      const digests: string[] = [];
      for (const name of ["alpha", "beta", "gamma"]) digests.push((await skills.load(name)).digest);
      await settled(root, 2);
      assert.deepEqual(await content.collect(isLive), digests.slice(0, 1));
      assert.deepEqual(await content.collect(isLive), []);
      await skills.close();
      assert.deepEqual(await content.collect(() => true), digests.slice(1).sort());
      await failsWith(skills.load("alpha"), "CLOSED");
    },
  },
];

async function damage(root: string, digest: string, path: string, text: string): Promise<void> {
  const hex = digest.slice("sha256:".length);
  const file = join(root, hex.slice(0, 2), hex, "tree", path);
  await chmod(file, 0o644);
  await writeFile(file, text);
}

/** Leases are released in the background. */
async function settled(root: string, leases: number): Promise<void> {
  let isOver = false;
  const looking = async () => {
    while (!isOver && (await leasesIn(root)) !== leases) await delay(5);
  };
  try {
    await inTime(looking(), `The release of all leases but ${leases}`);
  } finally {
    isOver = true;
  }
}

async function leasesIn(root: string): Promise<number> {
  const paths = await readdir(root, { recursive: true });
  return paths.filter((path) => /leases\/[0-9a-f]+$/.test(path)).length;
}
