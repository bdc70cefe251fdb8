import { cp, mkdtemp, realpath, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, onTestFinished, test } from "vitest";
import { type ApplicationData, knownWorkspacesName, workspacesName } from "../../src/index.js";

async function temporary(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "skillwright-name-")));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const dataIn = (folder: string): ApplicationData => ({
  records: fsRecords({ root: join(folder, "records") }),
  folder,
});

test("two processes that ask at once get the same name", async () => {
  const base = await temporary();
  const data = dataIn(join(base, "a"));
  const names = await Promise.all(Array.from({ length: 8 }, () => workspacesName(dataIn(join(base, "a")))));
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toMatch(/^data-[0-9a-f]{16}$/);
  expect(await knownWorkspacesName(data)).toEqual(names[0]);
});

test("other data and a copy of the folder get other names; a moved folder keeps its name", async () => {
  const base = await temporary();
  const one = await workspacesName(dataIn(join(base, "a")));
  const other = await workspacesName(dataIn(join(base, "b")));
  await rename(join(base, "a"), join(base, "moved"));
  await cp(join(base, "moved"), join(base, "copied"), { recursive: true });
  const copied = await workspacesName(dataIn(join(base, "copied")));
  expect(await workspacesName(dataIn(join(base, "moved")))).toEqual(one);
  expect(new Set([one, other, copied]).size).toBe(3);
});

test("a store that several machines share gives each the same name", async () => {
  const records = memoryRecords();
  expect(await workspacesName({ records })).toEqual(await workspacesName({ records }));
  expect(await workspacesName({ records: memoryRecords() })).not.toEqual(await workspacesName({ records }));
});

test("asking for a known name stores nothing", async () => {
  const base = await temporary();
  expect(await knownWorkspacesName(dataIn(join(base, "a")))).toBeUndefined();
  const records = memoryRecords();
  expect(await knownWorkspacesName({ records })).toBeUndefined();
  expect((await records.get(["data", "id"])).value).toBeUndefined();
});
