import fs from "node:fs";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { fsRepository } from "../src/index.js";
import { temporaryDirectory, writeSkills } from "./fs-subject.js";

test("a change in a skill of many directories, made while they are scanned, is seen by the next listing", async () => {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await dispose();
  });
  const folders = Array.from({ length: 20 }, (_, at) => [`d${at}/a.txt`, "a"] as const);
  await writeSkills(root, { one: { "SKILL.md": skillMarkdown("one"), ...Object.fromEntries(folders) } });
  const last = join(root, "one/d19");
  const { readdirSync } = fs;
  let changes = 0;
  vi.spyOn(fs, "readdirSync").mockImplementation(((...given: Parameters<typeof readdirSync>) => {
    const found = readdirSync(...given);
    // The first scan has just read this directory, which is too deep in a large skill to be watched.
    if (String(given[0]) === last && changes++ === 0) fs.writeFileSync(join(last, "later.txt"), "later");
    return found;
  }) as typeof readdirSync);
  const repository = fsRepository({ root, cache: false });
  await using _watch = await repository.watch(() => undefined);
  const { skills } = await repository.list();
  expect(changes).toBeGreaterThan(0);
  const now = await fsRepository({ root, cache: false }).list();
  expect(skills[0]?.changeMark).toBe(now.skills[0]?.changeMark);
});
