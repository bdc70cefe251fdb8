import { chmod, chown, mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type GitRepositoryOptions, gitRepository } from "../src/index.js";
import { cacheOf, names, type Origin, origin, skill } from "./git-subject.js";

let place: Origin;
let first: string;
beforeEach(async () => {
  place = await origin();
  first = await place.commit(skill("first"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await place.dispose();
});

describe("the cache", () => {
  test("holds a commit without its history, in a directory that only the user can access", async () => {
    const second = await place.commit(skill("second"));
    await opened({}).list();
    const [entry = ""] = await readdir(await cacheOf(place));
    expect(entry).toBe(`${second}.git`);
    const bare = join(await cacheOf(place), entry);
    expect(place.git("--git-dir", bare, "rev-list", "--all")).toBe(second);
    expect((await stat(await cacheOf(place))).mode & 0o077).toBe(0);
  });

  test("is below the user's cache directory by default", async () => {
    vi.stubEnv("XDG_CACHE_HOME", join(place.root, "xdg"));
    vi.stubEnv("LOCALAPPDATA", join(place.root, "xdg"));
    vi.stubEnv("HOME", join(place.root, "xdg"));
    await gitRepository({ url: place.directory, allowLocal: true }).list();
    const below = process.platform === "darwin" ? "xdg/Library/Caches" : "xdg";
    expect(await readdir(join(place.root, below, "skillwright/git"))).toHaveLength(1);
  });

  test("is not shared between URLs, even if they lead to the same repository", async () => {
    await gitRepository({ url: `file://${place.directory}`, cache: place.cache, allowLocal: true }).list();
    await opened({}).list();
    expect(await readdir(place.cache)).toHaveLength(2);
  });

  test("may be read-only where it holds the pinned commit", async () => {
    await opened({ commit: first }).list();
    const cache = await cacheOf(place);
    await chmod(cache, 0o500);
    expect(await names(opened({ commit: first }))).toEqual(["first"]);
    await chmod(cache, 0o700);
  });

  if (hasAll("root"))
    test("owned by another user is refused, since that user controls its content", async () => {
      await opened({}).list();
      await chown(await cacheOf(place), 12345, 12345);
      await expect(opened({}).list()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    });

  test("may be cleared while a repository uses it", async () => {
    const repository = opened({});
    await repository.load("first");
    await rm(place.cache, { recursive: true });
    expect(await readText(await repository.open("first", "SKILL.md"), 1000)).toBe(skillMarkdown("first"));
    expect(await names(repository)).toEqual(["first"]);
  });

  test("removes entries unused for a month and leftovers of killed processes older than a day, and nothing else", async () => {
    await opened({}).list();
    const cache = await cacheOf(place);
    const day = 24 * 60 * 60;
    const aged = { "making-dead": 2, "making-alive": 0.5, [`${first}.git`]: 29, "0.git": 31, foreign: 99 };
    for (const [name, days] of Object.entries(aged)) {
      await mkdir(join(cache, name), { recursive: true });
      await utimes(join(cache, name), Date.now() / 1000 - days * day, Date.now() / 1000 - days * day);
    }
    const second = await place.commit(skill("second"));
    await opened({}).list();
    expect((await readdir(cache)).sort()).toEqual(
      [`${first}.git`, `${second}.git`, "foreign", "making-alive"].sort(),
    );
  });

  test("serves many concurrent repositories, each of which sees a complete commit, while the branch moves", async () => {
    const commits = new Map([[first, "first"]]);
    let isDone = false;
    const readers = Array.from({ length: 6 }, async () => {
      const seen = new Set<string>();
      for (let round = 0; !isDone || round === 0; round++) {
        const repository = opened({});
        const { name, digest, manifest } = await repository.load((await names(repository))[0] ?? "");
        expect([manifest.files.length, digest.length]).toEqual([2, 71]);
        expect(commits.get((await repository.commit()) ?? "")).toBe(name);
        seen.add(name);
      }
      return seen;
    });
    for (const name of ["second", "third", "fourth"]) {
      const files = { [name]: { "SKILL.md": skillMarkdown(name), "a.txt": name } };
      // Recorded before the branch is moved, so before a reader can see it.
      place.git("checkout", "--quiet", "--detach");
      commits.set(await place.commit(files), name);
      place.git("branch", "--force", "main", "HEAD");
      place.git("checkout", "--quiet", "main");
    }
    isDone = true;
    const all = await Promise.all(readers);
    expect([...all.flatMap((seen) => [...seen])].every((name) => [...commits.values()].includes(name))).toBe(
      true,
    );
    const left = await readdir(await cacheOf(place));
    expect(left.filter((name) => !/^[0-9a-f]{40}\.git$/.test(name))).toEqual([]);
  });
});

function opened(options: Partial<GitRepositoryOptions>): ReturnType<typeof gitRepository> {
  return gitRepository({ url: place.directory, cache: place.cache, allowLocal: true, ...options });
}
