import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { skillFile } from "./skill-file.js";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

/** In one turn, so that the watch of this process sees no half-written file. */
function write(name: string, description?: string): void {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, "SKILL.md"), skillFile(name, description)["SKILL.md"]);
}

test("the catalogue reports changes while there are listeners, with what changed, and stops with the last", async () => {
  write("one");
  const repository = fsRepository({ root, watch: { stableMs: 300 } });
  const watch = vi.spyOn(repository, "watch");
  const box = skillBox({ own: repository });
  const told: string[] = [];
  const listening = box.subscribe(({ skills }) =>
    told.push(...skills.map(({ kind, name }) => `${kind} ${name}`)),
  );
  const first = await box.snapshot();
  const watching = await watch.mock.results[0]?.value;
  const unwatch = vi.spyOn(watching, "close");
  expect(await box.snapshot()).toBe(first);
  write("two");
  await expect.poll(() => told).toEqual(["added two"]);
  write("one", "Another.");
  expect((await box.snapshot()).skills[0]?.description).toBe("Another.");
  await expect.poll(() => told).toEqual(["added two", "changed one"]);
  expect(unwatch).not.toHaveBeenCalled();
  await listening.close();
  expect(unwatch).toHaveBeenCalledTimes(1);
  write("three");
  expect((await box.snapshot()).skills).toHaveLength(3);
  expect(told).toHaveLength(2);
  await box.close();
  await repository.close();
});

test("the first listener of a catalogue with a snapshot has each source listed once, after its watch has begun", async () => {
  write("one");
  const repository = fsRepository({ root });
  const { watch } = repository;
  let begin = () => {};
  vi.spyOn(repository, "watch").mockImplementation(async (onNotice) => {
    await new Promise<void>((resolve) => {
      begin = resolve;
    });
    return await watch(onNotice);
  });
  const list = vi.spyOn(repository, "list");
  const box = skillBox({ own: repository });
  const told: unknown[] = [];
  await box.snapshot();
  const listening = box.subscribe((change) => told.push(change));
  write("two");
  expect(list).toHaveBeenCalledTimes(1);
  begin();
  await expect.poll(() => told).toHaveLength(1);
  expect(list).toHaveBeenCalledTimes(2);
  await listening.close();
  await box.close();
  await repository.close();
});

test("when one of two listeners leaves, the other is still notified, also of changes made through the catalogue", async () => {
  write("one");
  const repository = fsRepository({ root, watch: { stableMs: 300 } });
  const box = skillBox({ own: repository });
  const told: Record<"stays" | "leaves", string[]> = { stays: [], leaves: [] };
  const listen = (who: "stays" | "leaves") =>
    box.subscribe(({ skills }) => told[who].push(...skills.map(({ kind, name }) => `${kind} ${name}`)));
  const staying = listen("stays");
  const leaving = listen("leaves");
  await box.snapshot();
  await leaving.close();
  await leaving.close();
  write("two");
  await expect.poll(() => told.stays).toEqual(["added two"]);
  await box.upload("own", [{ path: "SKILL.md", content: skillFile("three")["SKILL.md"] }]);
  await expect.poll(() => told.stays).toEqual(["added two", "added three"]);
  expect(told.leaves).toEqual([]);
  await staying.close();
  await box.close();
  await repository.close();
});
