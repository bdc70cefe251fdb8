import fs from "node:fs";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type SkillSeed, skillMarkdown } from "@skillwright/contracts";
import type { Closable } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type FsRepositoryOptions, fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
const open: Closable[] = [];
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const one of open.splice(0)) await one.close();
  await dispose();
});

async function watched(options: Partial<FsRepositoryOptions> = {}) {
  const repository = fsRepository({ root, ...options });
  const told = { count: 0 };
  open.push(repository, await repository.watch(() => void told.count++));
  return { repository, told };
}

/** With timers that only the test advances; `editAndHear` returns when the events of that edit have been delivered. */
async function watchedWithFakeTime(options: Partial<FsRepositoryOptions>) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const { repository, told } = await watched(options);
  const closeAll = async () => {
    for (const each of open.splice(0)) await each.close();
  };
  let events = 0;
  const watcher = fs.watch(join(root, "one"), () => events++);
  onTestFinished(() => watcher.close());
  const editAndHear = async (description: string) => {
    const before = events;
    edit(description);
    await until(() => events > before);
  };
  return { repository, told, closeAll, editAndHear };
}

/** Unlike `expect.poll`, this lets no time pass. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await setImmediate();
}

const one = (description = "First."): SkillSeed => ({
  one: { "SKILL.md": skillMarkdown("one", { description }) },
});
/** In one turn, so that the watch of this process sees no half-written file. */
const edit = (description: string) =>
  fs.writeFileSync(join(root, "one/SKILL.md"), skillMarkdown("one", { description }));

describe("a watched directory", () => {
  test("LIST-25: an editor that saves in two writes, 100 ms apart, causes one report, when the file is stable", async () => {
    await writeSkills(root, one());
    const stableMs = 150;
    const { repository, told, editAndHear } = await watchedWithFakeTime({ watch: { stableMs } });
    const idle = vi.getTimerCount();
    await editAndHear("Half.");
    vi.advanceTimersByTime(100);
    await editAndHear("Whole.");
    vi.advanceTimersByTime(stableMs - 1);
    // A report starts when its timer fires, and this one has not.
    expect([vi.getTimerCount(), told.count]).toEqual([idle + 1, 0]);
    vi.advanceTimersByTime(1);
    await until(() => told.count > 0);
    expect([vi.getTimerCount(), told.count]).toEqual([idle, 1]);
    expect((await repository.list()).skills[0]?.description).toBe("Whole.");
  });

  test.each(["events", "poll"] as const)(
    "by %s: when one of two listeners leaves, the other is still notified",
    async (method) => {
      await writeSkills(root, one());
      const repository = fsRepository({ root, watch: { method, stableMs: 20, pollMs: 20 } });
      const told = { stays: 0, leaves: 0 };
      open.push(repository, await repository.watch(() => void told.stays++));
      const leaving = await repository.watch(() => void told.leaves++);
      await leaving.close();
      edit("Changed.");
      await expect.poll(() => told.stays).toBeGreaterThan(0);
      expect(told.leaves).toBe(0);
    },
  );

  test("constant changes are reported nevertheless, after ten quiet periods", async () => {
    await writeSkills(root, one());
    const { told, editAndHear } = await watchedWithFakeTime({ watch: { stableMs: 50 } });
    const idle = vi.getTimerCount();
    for (let ms = 0; ms < 500; ms += 25) {
      await editAndHear(`At ${ms}`);
      expect([vi.getTimerCount(), told.count]).toEqual([idle + 1, 0]);
      vi.advanceTimersByTime(25);
    }
    await until(() => told.count > 0);
  });

  test("a skill that is added, removed, renamed or put in a new group is reported", async () => {
    await writeSkills(root, one());
    const { repository, told } = await watched({ watch: { stableMs: 20 } });
    const names = async () => (await repository.list()).skills.map(({ path }) => path);
    const steps: [() => Promise<unknown>, string[]][] = [
      [() => writeSkills(root, { "group/two": { "SKILL.md": skillMarkdown("two") } }), ["one", "group/two"]],
      [
        () => writeSkills(root, { "group/three": { "SKILL.md": skillMarkdown("three") } }),
        ["one", "group/three", "group/two"],
      ],
      [() => rename(join(root, "group"), join(root, "other")), ["one", "other/three", "other/two"]],
      [() => rm(join(root, "one"), { recursive: true }), ["other/three", "other/two"]],
    ];
    for (const [change, expected] of steps) {
      const before = told.count;
      await change();
      await expect.poll(() => told.count).toBeGreaterThan(before);
      await expect.poll(names).toEqual(expected);
    }
  });

  test("LIST-28: a change of only a support file is seen by the next load", async () => {
    await writeSkills(root, { one: { ...one()["one"], "scripts/run.sh": "echo 1" } });
    const { repository, told } = await watched({ watch: { stableMs: 20 } });
    const before = await repository.load("one");
    await writeFile(join(root, "one/scripts/run.sh"), "echo 2");
    const after = await repository.load("one");
    expect([after.body, after.description]).toEqual([before.body, before.description]);
    expect(after.digest).not.toBe(before.digest);
    // A busy machine can report the emptied file before the written one.
    await expect.poll(() => told.count).toBeGreaterThan(0);
  });

  test("LIST-26: 10,000 files in a skill need no more handles than none", async () => {
    await writeSkills(root, one());
    const handles = countHandles();
    await watched();
    const before = handles();
    for (let folder = 0; folder < 100; folder++) {
      const place = join(root, `one/vendor/lib/package-${folder}`);
      await mkdir(place, { recursive: true });
      for (let file = 0; file < 100; file++) fs.writeFileSync(join(place, `${file}.py`), "");
    }
    const again = await watched();
    expect(before).toBe(2);
    // A scan watches the first directories of a skill until it knows how many there are.
    await expect.poll(handles).toBe(4);
    // The maximum number of files of a skill.
    for (let folder = 5; folder < 100; folder++)
      await rm(join(root, `one/vendor/lib/package-${folder}`), { recursive: true });
    const mark = async () => (await again.repository.list()).skills[0]?.changeMark;
    const earlier = await mark();
    await writeFile(join(root, "one/vendor/lib/package-3/7.py"), "changed");
    expect(await mark()).not.toBe(earlier);
  });

  test("LIST-27: without handles it warns once, falls back to polling, and skills are still refreshed", async () => {
    await writeSkills(root, one());
    const warnings = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
    vi.spyOn(fs, "watch").mockImplementation(() => {
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", errno: -28 });
    });
    const { repository, told } = await watched({ watch: { pollMs: 20 } });
    for (const description of ["Second.", "Third."]) {
      const before = told.count;
      edit(description);
      await expect.poll(() => told.count).toBeGreaterThan(before);
      expect((await repository.list()).skills[0]?.description).toBe(description);
    }
    await repository.watch(() => undefined);
    expect(warnings).toHaveBeenCalledTimes(1);
    expect(warnings.mock.calls[0]?.[0]).toMatch(/every 20 ms.*ENOSPC/);
  });

  test("a repository with more directories than watch handles is polled", async () => {
    await writeSkills(root, one());
    const warnings = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
    const { told } = await watched({ watch: { pollMs: 20, handles: 1 } });
    expect(warnings).toHaveBeenCalledTimes(1);
    edit("Second.");
    await expect.poll(() => told.count).toBeGreaterThan(0);
  });

  test("that does not exist yet is reported when it is created", async () => {
    const place = join(root, "later");
    const { repository, told } = await watched({ root: place, watch: { pollMs: 20 } });
    await writeSkills(place, one());
    await expect.poll(() => told.count).toBeGreaterThan(0);
    expect((await repository.list()).skills).toHaveLength(1);
  });

  test("the directory is no longer watched after the last watch is closed", async () => {
    await writeSkills(root, one());
    const { told, closeAll, editAndHear } = await watchedWithFakeTime({ watch: { stableMs: 0 } });
    await closeAll();
    await editAndHear("Second.");
    // Nothing is waiting that could report it.
    expect([vi.getTimerCount(), told.count]).toEqual([0, 0]);
  });
});

describe("while it is watched", () => {
  test("a listing without a change is the same object, and checks no file", async () => {
    await writeSkills(root, { ...one(), two: { "SKILL.md": skillMarkdown("two"), "scripts/a.sh": "a" } });
    const { repository } = await watched();
    const first = await repository.list();
    const looks = [vi.spyOn(fs, "lstatSync"), vi.spyOn(fs, "readdirSync"), vi.spyOn(fs, "lstat")];
    expect(await repository.list()).toBe(first);
    expect(looks.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  });

  test("a listing right after a change sees it, 300 times, whichever file changed", async () => {
    await writeSkills(root, {
      ...one(),
      two: { "SKILL.md": skillMarkdown("two"), "scripts/deep/a.sh": "a" },
    });
    const { repository } = await watched();
    const state = async () => JSON.stringify((await repository.list()).skills);
    for (let round = 0; round < 100; round++) {
      for (const change of [
        () => fs.writeFileSync(join(root, "two/scripts/deep/a.sh"), `echo ${round}`),
        async () => edit(`Round ${round}.`),
        () =>
          writeSkills(root, { [`new-${round % 5}/skill`]: { "SKILL.md": skillMarkdown(`new-${round}`) } }),
      ]) {
        const before = await state();
        await change();
        expect(await state()).not.toBe(before);
      }
    }
  });

  test("finding a skill of a watched folder reads none of its files, and sees each of 100 changes at once", async () => {
    await writeSkills(root, { ...one(), "two/inner": { "SKILL.md": skillMarkdown("inner"), "a.sh": "a" } });
    const { repository } = await watched();
    const looks = [vi.spyOn(fs, "lstatSync"), vi.spyOn(fs, "readdirSync"), vi.spyOn(fs, "lstat")];
    for (const name of ["one", "inner", "one"]) expect(await repository.find?.(name)).toMatchObject({ name });
    expect(looks.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    const markOf = async () => (await repository.find?.("inner"))?.changeMark;
    for (let round = 0; round < 100; round++) {
      const before = await markOf();
      fs.writeFileSync(join(root, "two/inner/a.sh"), `echo ${round}`);
      expect(await markOf()).not.toBe(before);
    }
    await rm(join(root, "one"), { recursive: true });
    expect(await repository.find?.("one")).toBeUndefined();
  });

  test("finding a skill with links, or a skill inside it, looks at its files and at those of no other skill", async () => {
    const inner = { "SKILL.md": skillMarkdown("inner"), "a.sh": "a" };
    await writeSkills(root, { ...one(), two: { "SKILL.md": skillMarkdown("two") }, "two/inner": inner });
    for (const folder of ["one", "two"]) await symlink("SKILL.md", join(root, folder, "linked.md"));
    await fs.promises.link(join(root, "two/inner/a.sh"), join(root, "hard"));
    const { repository } = await watched();
    const before = await repository.find?.("inner");
    fs.writeFileSync(join(root, "hard"), "changed by its other name");
    const reads = vi.spyOn(fs, "readdirSync");
    expect((await repository.find?.("inner"))?.changeMark).not.toBe(before?.changeMark);
    expect(reads.mock.calls.some(([path]) => String(path).endsWith("/one"))).toBe(false);
  });

  test("links, which may change without an event here, are checked each time", async () => {
    await writeSkills(root, { ...one(), "data/two": { "SKILL.md": skillMarkdown("two") } });
    await symlink("data/two/SKILL.md", join(root, "one/linked.md"));
    await fs.promises.link(join(root, "data/two/SKILL.md"), join(root, "hard"));
    const { repository } = await watched();
    const before = await repository.list();
    fs.writeFileSync(join(root, "hard"), skillMarkdown("two", { description: "Changed by its other name." }));
    expect((await repository.list()).skills).not.toEqual(before.skills);
  });
});

test.each([{ stableMs: -1 }, { pollMs: 0 }, { handles: 1.5 }])("the option %j is refused", (watch) => {
  expect(() => fsRepository({ root, watch })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
});

/** The number of directories that are watched. */
function countHandles(): () => number {
  let open = 0;
  const { watch } = fs;
  vi.spyOn(fs, "watch").mockImplementation(((...given: Parameters<typeof watch>) => {
    const watcher = watch(...given);
    open++;
    return watcher.once("close", () => open--);
  }) as typeof watch);
  return () => open;
}
