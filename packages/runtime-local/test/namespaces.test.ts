import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { localRuntime } from "../src/index.js";
import { temporaryDirectory } from "./local-subject.js";

async function runtimesOn(...namespaces: readonly (string | undefined)[]) {
  const { path, remove } = await temporaryDirectory();
  const root = join(path, "root");
  const runtimes = namespaces.map((namespace) => localRuntime({ root, namespace, isolation: "none" }));
  onTestFinished(async () => {
    for (const runtime of runtimes) await runtime.close();
    await remove();
  });
  return { root, runtimes };
}

test("runtimes with different namespaces never see or destroy each other's workspaces below one root", async () => {
  const { root, runtimes } = await runtimesOn(undefined, "a", "b");
  const made = await Promise.all(runtimes.map((runtime) => runtime.create("w")));
  expect(new Set(made.map((workspace) => workspace.root)).size).toBe(3);
  expect(made[1]?.root).toBe(join(root, ".skillwright/of-a/w/tree"));
  const [plain, a, b] = runtimes;
  expect(await a?.destroy("w")).toBe(true);
  expect([await plain?.list(), await a?.list(), await b?.list()]).toEqual([["w"], [], ["w"]]);
  await b?.registry?.put({ formatVersion: 1, workspaceId: "w", createdAt: "", lastUsedAt: "" });
  expect(await plain?.registry?.get("w")).toBeUndefined();
});

test("runtimes with the same namespace share their workspaces", async () => {
  const { runtimes } = await runtimesOn("a", "a");
  const [one, other] = runtimes;
  await one?.create("w");
  expect((await other?.attach("w"))?.id).toBe("w");
});

test.each(["", "..", "a/b", "a b", "x".repeat(65)])(
  "the namespace %j is refused before anything is created",
  async (namespace) => {
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const root = join(path, "root");
    expect(() => localRuntime({ root, namespace })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
    await expect(stat(root)).rejects.toMatchObject({ code: "ENOENT" });
  },
);
