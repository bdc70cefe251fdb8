import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { type ByteSource, readBytes, type SkillReader } from "@skillwright/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitRepository } from "../src/index.js";
import { type Origin, origin } from "./git-subject.js";

const MEGABYTE = 1_000_000;

let place: Origin;
let git: string;
beforeEach(async () => {
  const file = (size: number, byte: number): Uint8Array => new Uint8Array(size).fill(byte);
  const some = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [`part-${index}.bin`, file(MEGABYTE, index)]),
  );
  const empty = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`z-empty-${index}`, ""]));
  const skillFile = skillMarkdown("one");
  place = await origin({
    one: {
      "SKILL.md": skillFile,
      "copy.md": skillFile,
      ...some,
      "large.bin": file(3 * MEGABYTE, 9),
      ...empty,
    },
  });
  git = join(place.root, "git");
  await writeFile(git, `#!/bin/sh\necho "$*" >> '${place.root}/log'\nexec git "$@"\n`, { mode: 0o755 });
});
afterEach(async () => await place.dispose());

test("a reader of all files in their order reads them in groups, and large ones alone", async () => {
  const { read, paths, sums } = await reader();
  const before = await processes();
  for (const path of paths) expect([path, await sumOf(await read(path))]).toEqual([path, sums.get(path)]);
  // 4 and 3 of the seven parts, with the small files around them; then the large one.
  expect((await processes()) - before).toBeLessThanOrEqual(4);
});

test("reading in any other order, concurrently and repeatedly works as well", async () => {
  const { read, paths, sums } = await reader();
  for (const path of [...paths].reverse().slice(35))
    expect(await sumOf(await read(path))).toBe(sums.get(path));
  const all = await Promise.all(paths.map(async (path) => await sumOf(await read(path))));
  expect(all).toEqual(paths.map((path) => sums.get(path)));
  expect(await sumOf(await read("SKILL.md"))).toBe(sums.get("SKILL.md"));
});

test("two files with the same content are two copies of it", async () => {
  const { read, sums } = await reader();
  const [one, two] = [await read("SKILL.md"), await read("copy.md")];
  (await readBytes(one, MEGABYTE)).fill(0);
  expect(await sumOf(two)).toBe(sums.get("copy.md"));
});

test("an aborted reader reads no more", async () => {
  const controller = new AbortController();
  const { read } = await reader(controller.signal);
  controller.abort();
  await expect(read("SKILL.md")).rejects.toMatchObject({ code: "ABORTED" });
});

async function reader(
  signal?: AbortSignal,
): Promise<{ read: SkillReader; paths: readonly string[]; sums: ReadonlyMap<string, string> }> {
  const repository = gitRepository({ url: place.directory, cache: place.cache, allowLocal: true, git });
  const { files } = (await repository.load("one")).manifest;
  const read = await repository.reader?.("one", { signal });
  if (!read) throw new Error("There is no reader.");
  return {
    read,
    paths: files.map(({ path }) => path),
    sums: new Map(files.map(({ path, sha256 }) => [path, sha256])),
  };
}

async function processes(): Promise<number> {
  return (await readFile(join(place.root, "log"), "utf8")).split("\n").length;
}

async function sumOf(content: ByteSource): Promise<string> {
  const hash = createHash("sha256");
  return hash.update(await readBytes(content, 4 * MEGABYTE)).digest("hex");
}
