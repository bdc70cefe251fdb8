import fs from "node:fs";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => {
  ({ root, dispose } = await temporaryDirectory());
  await writeSkills(root, { one: seed("one"), two: seed("two") });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dispose();
});

test("ten listings that begin at once read each directory once", async () => {
  const repository = fsRepository({ root });
  const readdir = vi.spyOn(fs, "readdirSync");
  const listings = await Promise.all(Array.from({ length: 10 }, () => repository.list()));
  expect(new Set(listings).size).toBe(1);
  expect(listings[0]?.skills).toHaveLength(2);
  expect(pathsOf(readdir).sort()).toEqual([root, join(root, "one"), join(root, "two")]);
});

test("a listing that begins while another is in progress sees what changed before it began", async () => {
  const repository = fsRepository({ root });
  const later: ReturnType<typeof repository.list>[] = [];
  const { readdirSync } = fs;
  vi.spyOn(fs, "readdirSync").mockImplementation(((...given: Parameters<typeof readdirSync>) => {
    const found = readdirSync(...given);
    if (String(given[0]) !== root || later.length > 0) return found;
    // The listing in progress has just read the root, so that it cannot find this new directory.
    fs.mkdirSync(join(root, "three"));
    fs.writeFileSync(join(root, "three/SKILL.md"), skillMarkdown("three"));
    later.push(repository.list());
    return found;
  }) as typeof readdirSync);
  await repository.list();
  const [listing] = await Promise.all(later);
  expect(listing?.skills.map(({ name }) => name)).toEqual(["one", "three", "two"]);
});

test("beginning to watch reads each directory and each SKILL.md once, and the next listing reads nothing", async () => {
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
  const repository = fsRepository({ root });
  const read = vi.spyOn(fs, "readdirSync");
  const opened = vi.spyOn(fs, "openSync");
  await using _watch = await repository.watch(() => undefined);
  await repository.list();
  const all = [root, join(root, "one"), join(root, "two")];
  expect(pathsOf(read).sort()).toEqual(all);
  expect(pathsOf(opened).sort()).toEqual(all.slice(1).map((folder) => join(folder, "SKILL.md")));
});

test("a directory that changes right after it was read is read again once it is watched", async () => {
  const repository = fsRepository({ root });
  const { readdirSync } = fs;
  let isChanged = false;
  vi.spyOn(fs, "readdirSync").mockImplementation(((...given: Parameters<typeof readdirSync>) => {
    const found = readdirSync(...given);
    if (String(given[0]) !== root || isChanged) return found;
    isChanged = true;
    fs.mkdirSync(join(root, "three"));
    fs.writeFileSync(join(root, "three/SKILL.md"), skillMarkdown("three"));
    return found;
  }) as typeof readdirSync);
  await using _watch = await repository.watch(() => undefined);
  const { skills } = await repository.list();
  expect(skills.map(({ name }) => name)).toEqual(["one", "three", "two"]);
});

test("a listing that is aborted while it waits for another ends at once, and the other goes on", async () => {
  const repository = fsRepository({ root });
  const ending = new AbortController();
  const first = repository.list();
  const second = repository.list({ signal: ending.signal });
  ending.abort();
  await expect(second).rejects.toMatchObject({ code: "ABORTED" });
  expect((await first).skills).toHaveLength(2);
});

test("a listing whose predecessor was aborted reads the directories itself", async () => {
  const repository = fsRepository({ root });
  const ending = new AbortController();
  const first = repository.list({ signal: ending.signal });
  const second = repository.list();
  ending.abort();
  await expect(first).rejects.toMatchObject({ code: "ABORTED" });
  expect((await second).skills).toHaveLength(2);
});

function seed(name: string) {
  return { "SKILL.md": skillMarkdown(name) };
}

function pathsOf(spy: { mock: { calls: unknown[][] } }): string[] {
  return spy.mock.calls.map(([path]) => String(path)).filter((path) => path.startsWith(root));
}
