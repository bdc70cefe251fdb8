import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failsWith } from "@skillwright/contracts";
import { expect, onTestFinished, test } from "vitest";
import { fsSessions } from "../src/index.js";
import { temporaryDirectory } from "./fs-subject.js";

const scope = { app: "a", user: "u", session: "s" };

async function place() {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  return join(root, "sessions");
}

async function recordFile(root: string): Promise<string> {
  const names = await readdir(root, { recursive: true });
  return join(root, names.find((name) => name.endsWith("session.json")) ?? "none");
}

test("another process continues where one ended, and only this user may read", async () => {
  const root = await place();
  const { revision } = await fsSessions({ root }).update(scope, { from: 0, append: ["hello"] });
  const other = fsSessions({ root });
  expect((await other.get(scope))?.history).toEqual(["hello"]);
  expect((await other.update(scope, { from: revision, append: ["again"] })).history).toEqual([
    "hello",
    "again",
  ]);
  expect((await stat(await recordFile(root))).mode & 0o077).toBe(0);
});

test("two stores change one session concurrently, and every change is applied once or refused with CONFLICT", async () => {
  const root = await place();
  const stores = [fsSessions({ root }), fsSessions({ root })];
  const add = async (index: number): Promise<void> => {
    for (;;) {
      const store = stores[index % 2] ?? fsSessions({ root });
      const from = (await store.get(scope))?.revision ?? 0;
      const done = await store.update(scope, { from, append: [index] }).then(
        () => true,
        (error: { code?: string }) => error.code !== "CONFLICT" && Promise.reject(error),
      );
      if (done) return;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => add(index)));
  const record = await fsSessions({ root }).get(scope);
  expect([record?.revision, [...(record?.history ?? [])].sort()]).toEqual([8, [0, 1, 2, 3, 4, 5, 6, 7]]);
});

test("a damaged record is an error that names its file, and none of it is replaced", async () => {
  const root = await place();
  const sessions = fsSessions({ root });
  await sessions.update(scope, { from: 0 });
  const file = await recordFile(root);
  await writeFile(file, "{");
  for (const call of [sessions.get(scope), sessions.update(scope, { from: 1 })])
    expect((await failsWith(call, "BACKEND_FAILED")).message).toContain(file);
  expect(await readFile(file, "utf8")).toBe("{");
});

if (process.getuid?.() !== 0)
  test("a directory that cannot be written is BACKEND_FAILED with its path", async () => {
    const { root, dispose } = await temporaryDirectory();
    onTestFinished(async () => {
      await chmod(root, 0o755);
      await dispose();
    });
    await chmod(root, 0o555);
    const { message } = await failsWith(
      fsSessions({ root: join(root, "sessions") }).update(scope, { from: 0 }),
      "BACKEND_FAILED",
    );
    expect(message).toContain(root);
  });
