import { cp, mkdir, mkdtemp, realpath, rename, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, onTestFinished, test, vi } from "vitest";
import { type ApplicationData, knownWorkspacesName, workspacesName } from "../../src/index.js";

async function temporary(): Promise<string> {
  const path = await realpath(await mkdtemp(join(os.tmpdir(), "skillwright-name-")));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const dataIn = (folder: string): ApplicationData => ({
  records: fsRecords({ root: join(folder, "records") }),
  folder,
});

/** Replaces the home directory of the user's account. HOME stays as it is. */
function accountWith(homedir: string): void {
  const spy = vi.spyOn(os, "userInfo").mockReturnValue({ homedir } as never);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

test("two processes that ask at once get the same name", async () => {
  const base = await temporary();
  const data = dataIn(join(base, "a"));
  const names = await Promise.all(Array.from({ length: 8 }, () => workspacesName(dataIn(join(base, "a")))));
  expect(new Set(names.map(({ shared }) => shared)).size).toBe(1);
  expect(names[0]?.shared).toMatch(/^data-[0-9a-f]{16}$/);
  expect(names[0]?.local).toBe(names[0]?.shared);
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
  expect(new Set([one, other, copied].map(({ shared }) => shared)).size).toBe(3);
});

test("a store that several machines share gives each the same name", async () => {
  const records = memoryRecords();
  expect(await workspacesName({ records })).toEqual(await workspacesName({ records }));
  expect(await workspacesName({ records: memoryRecords() })).not.toEqual(await workspacesName({ records }));
});

test("only the data in the home directory of the account use the local runtime's default place", async () => {
  const base = await temporary();
  accountWith(base);
  await mkdir(join(base, ".skillwright"));
  const own = await workspacesName(dataIn(join(base, ".skillwright")));
  expect(own).toMatchObject({ shared: expect.stringMatching(/^data-/), local: undefined });
  const other = await workspacesName(dataIn(join(base, "other")));
  expect(other.local).toBe(other.shared);
});

test("asking for a known name stores nothing", async () => {
  const base = await temporary();
  expect(await knownWorkspacesName(dataIn(join(base, "a")))).toBeUndefined();
  const records = memoryRecords();
  expect(await knownWorkspacesName({ records })).toBeUndefined();
  expect((await records.get(["data", "id"])).value).toBeUndefined();
});
