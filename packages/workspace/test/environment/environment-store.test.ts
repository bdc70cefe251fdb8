import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FileEntry } from "@skillwright/core/adapter";
import { expect, onTestFinished, test } from "vitest";
import { type EnvironmentFacts, environmentStore } from "../../src/index.js";

const FACTS: EnvironmentFacts = {
  kind: "python",
  skill: "demo",
  declaredIn: "requirements.txt",
  packages: [],
  digest: "",
};
const key = (letter: string) => letter.repeat(64);

async function* tree(bytes: number): AsyncIterable<FileEntry> {
  yield { path: "lib/one/data", content: new Uint8Array(bytes) };
  yield { path: "bin/tool", content: "#!/bin/sh\n", executable: true };
}

async function newRoot(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "skillwright-environments-"));
  onTestFinished(async () => {
    await environmentStore({ root }).prune({ maxBytes: 0, inUse: false });
    await rm(root, { recursive: true, force: true });
  });
  return root;
}

/** As if it was last used that many hours ago. */
async function usedBefore(root: string, key: string, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * 3_600_000);
  await utimes(path.join(root, key, "environment.json"), then, then);
}

test("an environment is stored read-only and found by its key", async () => {
  const root = await newRoot();
  const store = environmentStore({ root });
  expect(await store.find(key("a"))).toBeUndefined();
  const stored = await store.add(key("a"), FACTS, tree(3));
  expect(stored).toMatchObject({ ...FACTS, key: key("a"), files: 2, bytes: 13 });
  expect(await environmentStore({ root }).find(key("a"))).toMatchObject({ ...FACTS, files: 2, bytes: 13 });
  const rights = async (file: string) =>
    ((await stat(path.join(stored.directory, file))).mode & 0o777).toString(8);
  expect([
    await rights("."),
    await rights("lib/one"),
    await rights("lib/one/data"),
    await rights("bin/tool"),
  ]).toEqual(["555", "555", "444", "555"]);
});

test("PKG-08: the least recently used environments are evicted first, and none that was used in the last hour", async () => {
  const root = await newRoot();
  const store = environmentStore({ root, maxBytes: 250 });
  await store.add(key("a"), FACTS, tree(90));
  await store.add(key("b"), FACTS, tree(90));
  await usedBefore(root, key("a"), 3);
  await usedBefore(root, key("b"), 2);
  await store.find(key("a"));
  await store.add(key("c"), FACTS, tree(90));
  expect((await store.list()).map((one) => one.key).sort()).toEqual([key("a"), key("c")]);
  await store.add(key("d"), FACTS, tree(90));
  expect((await readdir(root)).sort()).toEqual([key("a"), key("c"), key("d")]);
});

test("a tree above the limit is refused, and nothing of it stays", async () => {
  const root = await newRoot();
  const store = environmentStore({ root, maxBytes: 50 });
  await expect(store.add(key("a"), FACTS, tree(90))).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  expect(await readdir(root)).toEqual([]);
});

test("an environment that cannot be removed is not reported as removed", async () => {
  const root = await newRoot();
  await environmentStore({ root }).add(key("a"), FACTS, tree(10));
  // Root may remove everything, so the removing program is not root.
  await chmod(root, 0o555);
  const program = `import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url))}).then(({ environmentStore }) =>
    environmentStore({ root: ${JSON.stringify(root)} }).prune({ maxBytes: 0, inUse: false })).then(console.log, ({ message }) => console.log(message))`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const told = execFileSync(process.execPath, ["-e", program], { ...user, encoding: "utf8" });
  await chmod(root, 0o755);
  expect(told).toContain("EACCES");
  expect(await environmentStore({ root }).list()).toHaveLength(1);
});
