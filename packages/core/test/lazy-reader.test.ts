import { readText, type SkillReader } from "@skillwright/core";
import { lazyReader } from "@skillwright/core/adapter";
import { expect, test } from "vitest";

test("a lazy reader creates the reader once, and only when a file or a location is requested", async () => {
  let asked = 0;
  const locations = async () => new Map([["a.txt", "/skills/demo/a.txt"]]);
  const reader: SkillReader = Object.assign(async (path: string) => `read ${path}`, { locations });
  const ask = async (): Promise<SkillReader> => {
    asked++;
    return reader;
  };
  const open = async (path: string) => `opened ${path}`;
  const read = lazyReader(ask, open);
  expect(asked).toBe(0);
  expect(await read.locations?.()).toEqual(new Map([["a.txt", "/skills/demo/a.txt"]]));
  expect(await readText(await read("a.txt"), 100)).toBe("read a.txt");
  expect(asked).toBe(1);
});

test("without a reader each file is opened separately, and none has a location", async () => {
  const read = lazyReader(
    () => undefined,
    async (path) => `opened ${path}`,
  );
  expect(await readText(await read("a.txt"), 100)).toBe("opened a.txt");
  expect(await read.locations?.()).toEqual(new Map());
});

test("a reader without locations still reads", async () => {
  const read = lazyReader(
    async () => async (path) => `read ${path}`,
    async () => "",
  );
  expect(await read.locations?.()).toEqual(new Map());
  expect(await readText(await read("a.txt"), 100)).toBe("read a.txt");
});
