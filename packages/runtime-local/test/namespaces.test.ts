import { mkdir, rmdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { localRoots, localRuntime } from "../src/index.js";
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

test("AGENT-24: runtimes without a root share workspaces if their working directory is the same, also through a link, and otherwise not", async () => {
  const { path, remove } = await temporaryDirectory();
  const before = process.cwd();
  onTestFinished(async () => {
    process.chdir(before);
    vi.unstubAllEnvs();
    await remove();
  });
  vi.stubEnv("TMPDIR", path);
  for (const name of ["one", "two"]) await mkdir(join(path, name));
  await symlink(join(path, "one"), join(path, "link"));
  const seenIn = async (folder: string) => {
    process.chdir(join(path, folder));
    await using runtime = localRuntime({ isolation: "none" });
    return await runtime.list();
  };
  process.chdir(join(path, "one"));
  await using runtime = localRuntime({ isolation: "none" });
  const { root } = await runtime.create("w");
  const [all = "", ...namespaces] = await localRoots();
  expect(all).toBe(join(path, `skillwright-${process.geteuid?.()}`, "workspaces"));
  expect(namespaces.map((place) => join(place, "w/tree"))).toEqual([root]);
  expect([await seenIn("one"), await seenIn("link"), await seenIn("two")]).toEqual([["w"], ["w"], []]);
});

test("if the working directory was removed, a runtime without a root fails with the remedy", async () => {
  const { path, remove } = await temporaryDirectory();
  const before = process.cwd();
  onTestFinished(async () => {
    process.chdir(before);
    await remove();
  });
  await mkdir(join(path, "gone"));
  process.chdir(join(path, "gone"));
  await rmdir(join(path, "gone"));
  await using runtime = localRuntime({ isolation: "none" });
  await expect(runtime.list()).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/working directory.*Give one of both/),
  });
});

test("a directory that does not exist has no roots", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  expect(await localRoots(join(path, "nowhere"))).toEqual([]);
});

test.each(["Sandbox", "sandboxed", null])("localRuntime refuses the isolation %j", (isolation) => {
  expect(() => localRuntime({ isolation: isolation as "sandbox" })).toThrow(
    expect.objectContaining({ code: "CONFIG_INVALID" }),
  );
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
