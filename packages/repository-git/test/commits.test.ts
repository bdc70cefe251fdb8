import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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

describe("which commit is read", () => {
  test("HEAD of the server, a branch, a tag of either kind, a full name", async () => {
    place.git("tag", "light");
    place.git("tag", "--annotate", "--message", "x", "heavy");
    place.git("update-ref", "refs/pull/1/head", first);
    place.git("checkout", "--quiet", "-b", "other/branch");
    const second = await place.commit(skill("second"));
    place.git("checkout", "--quiet", "main");
    for (const ref of [undefined, "HEAD", "main", "light", "heavy", "refs/pull/1/head", "refs/tags/heavy"])
      expect([ref, await opened({ ref }).commit()]).toEqual([ref, first]);
    expect(await opened({ ref: "other/branch" }).commit()).toBe(second);
    // "branch" alone is the last part of a name, not a name.
    await expect(opened({ ref: "branch" }).list()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });

  test("a branch takes precedence over a tag of its name", async () => {
    place.git("tag", "both");
    place.git("branch", "both", await place.commit(skill("second")));
    expect(await names(opened({ ref: "both" }))).toEqual(["second"]);
  });

  test("the label contains the commit once it is known", async () => {
    const repository = opened({ ref: "main" });
    expect(repository.label).toBe(`git ${place.directory}@main`);
    await repository.list();
    expect(repository.label).toBe(`git ${place.directory}@${first.slice(0, 12)}`);
  });

  test("the commit id is the only version", async () => {
    const repository = opened({});
    expect((await repository.load("first", { version: first })).name).toBe("first");
    await expect(repository.load("first", { version: "0".repeat(40) })).rejects.toMatchObject({
      code: "SKILL_NOT_FOUND",
    });
  });

  test("a repository without commits is an empty listing with a diagnostic, until it has one", async () => {
    const empty = await origin();
    const repository = gitRepository({ url: empty.directory, cache: empty.cache, allowLocal: true });
    const { skills, diagnostics } = await repository.list();
    expect([skills, diagnostics.map(({ code }) => code)]).toEqual([[], ["repository.empty"]]);
    expect(await repository.commit()).toBeUndefined();
    await empty.commit(skill("one"));
    await repository.refresh();
    expect(await names(repository)).toEqual(["one"]);
    await empty.dispose();
  });

  test("a repository with SHA-256 ids is read", async () => {
    const modern = await origin(skill("modern"), "sha256");
    const commit = modern.git("rev-parse", "HEAD");
    for (const pin of [{}, { commit }]) {
      const repository = gitRepository({
        url: modern.directory,
        cache: modern.cache,
        allowLocal: true,
        ...pin,
      });
      expect([await repository.commit(), await names(repository)]).toEqual([commit, ["modern"]]);
    }
    expect(commit).toHaveLength(64);
    await modern.dispose();
  });
});

describe("a pinned commit", () => {
  test("is read, however far the branch has moved", async () => {
    await place.commit(skill("second"));
    const repository = opened({ commit: first, ref: "main" });
    expect(await names(repository)).toEqual(["first"]);
    await repository.refresh();
    expect(await names(repository)).toEqual(["first"]);
  });

  test("is not requested again where it is in the cache", async () => {
    await opened({ commit: first }).list();
    await rename(place.directory, `${place.directory}-gone`);
    const repository = opened({ commit: first });
    await repository.refresh();
    expect(await names(repository)).toEqual(["first"]);
  });

  test("an id of another kind of object is refused", async () => {
    place.git("tag", "--annotate", "--message", "x", "heavy");
    for (const name of ["heavy", "HEAD^{tree}", "HEAD:first/SKILL.md"]) {
      const repository = opened({ commit: place.git("rev-parse", name) });
      await expect(repository.list()).rejects.toMatchObject({ code: "DIGEST_MISMATCH" });
    }
    expect(await readdir(await cacheOf(place))).toEqual([]);
  });

  test("that the server does not have ends with an error, and leaves nothing in the cache", async () => {
    const repository = opened({ commit: "0123456789".repeat(4) });
    await expect(repository.list()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    expect(await readdir(await cacheOf(place))).toEqual([]);
  });

  test("is fetched with its history from a server that serves only named refs", async () => {
    await place.commit(skill("second"));
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "protocol.version");
    vi.stubEnv("GIT_CONFIG_VALUE_0", "0");
    expect(await names(opened({ commit: first }))).toEqual(["first"]);
    const bare = join(await cacheOf(place), `${first}.git`);
    expect(place.git("--git-dir", bare, "rev-list", "--all", "--count")).toBe("2");
    const missing = opened({ commit: "0123456789".repeat(4) });
    await expect(missing.list()).rejects.toMatchObject({ code: "DIGEST_MISMATCH" });
  });
});

describe("refresh", () => {
  test("sees the change; without it no request is sent", async () => {
    const repository = opened({});
    expect(await names(repository)).toEqual(["first"]);
    await place.commit(skill("second"));
    expect(await names(repository)).toEqual(["first"]);
    await repository.refresh();
    expect(await names(repository)).toEqual(["second"]);
  });

  test("that fails is an error, and keeps the previous state", async () => {
    const repository = opened({});
    const before = await repository.list();
    await rename(place.directory, `${place.directory}-gone`);
    await expect(repository.refresh()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    expect(await repository.list()).toEqual(before);
    expect(await readText(await repository.open("first", "SKILL.md"), 1000)).toBe(skillMarkdown("first"));
    await rename(`${place.directory}-gone`, place.directory);
    await place.commit(skill("second"));
    await repository.refresh();
    expect(await names(repository)).toEqual(["second"]);
  });

  test("the refresh of a deleted branch is an error, and keeps the previous state", async () => {
    place.git("branch", "other");
    const repository = opened({ ref: "other" });
    await repository.list();
    place.git("branch", "--delete", "--force", "other");
    await expect(repository.refresh()).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining('"other"'),
    });
    expect(await names(repository)).toEqual(["first"]);
  });

  test("follows a branch whose history was rewritten", async () => {
    const repository = opened({});
    await repository.list();
    place.git("checkout", "--quiet", "--orphan", "new");
    await place.commit(skill("anew"));
    place.git("branch", "--move", "--force", "new", "main");
    await repository.refresh();
    expect(await names(repository)).toEqual(["anew"]);
  });
});

function opened(options: Partial<GitRepositoryOptions>): ReturnType<typeof gitRepository> {
  return gitRepository({ url: place.directory, cache: place.cache, allowLocal: true, ...options });
}
