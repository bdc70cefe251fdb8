import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WatchableSkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { layered, skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../repository-fs/test/fs-subject.js";
import { skillFile } from "../skill-file.js";

/** A watched folder with one skill that counts its listings. */
async function folder(root: string, name: string) {
  await mkdir(join(root, name, name), { recursive: true });
  await writeFile(join(root, name, name, "SKILL.md"), skillFile(name)["SKILL.md"]);
  const inner = fsRepository({ root: join(root, name), watch: { stableMs: 20 } });
  onTestFinished(() => inner.close());
  const counts = { lists: 0 };
  const repository: WatchableSkillRepository = {
    ...inner,
    list(options) {
      counts.lists++;
      return inner.list(options);
    },
  };
  return { repository, counts };
}

test("layers that are all watched are not listed again until one of them changes", async () => {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  const own = await folder(root, "own");
  const team = await folder(root, "team");
  await using both = layered(own.repository, team.repository);
  await using box = skillBox({ both });
  await using _watching = box.subscribe(() => undefined);
  const listings = async () => {
    const before = own.counts.lists + team.counts.lists;
    await box.snapshot();
    return own.counts.lists + team.counts.lists - before;
  };
  await expect.poll(listings).toBe(0);
  await writeFile(join(root, "team/team/SKILL.md"), skillFile("team", "A changed one.")["SKILL.md"]);
  await expect
    .poll(async () => (await box.snapshot()).skills.find(({ name }) => name === "team")?.description)
    .toContain("A changed one.");
});

test("a listing is not known to be current where a layer cannot be watched, or after it was listed again", async () => {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  const { repository } = await folder(root, "own");
  await using half = layered(repository, memoryRepository());
  await using halfWatch = await half.watch(() => undefined);
  expect(halfWatch.isCurrent).toBeUndefined();
  await using whole = layered(repository);
  await using watch = await whole.watch(() => undefined);
  const listing = await whole.list();
  expect(Object.isFrozen(listing.skills)).toBe(true);
  await expect.poll(() => watch.isCurrent?.(listing)).toBe(true);
  expect(await watch.isCurrent?.({ ...listing })).toBe(false);
});
