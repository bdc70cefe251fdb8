import { chmod, chown, lstat, mkdir, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type LocalRuntimeOptions, localRuntime } from "../src/index.js";
import { temporaryDirectory } from "./local-subject.js";

const isRoot = process.geteuid?.() === 0;
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function fresh(): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  undo.push(remove);
  return path;
}

function open(options: LocalRuntimeOptions) {
  const runtime = localRuntime({ isolation: "none", ...options });
  undo.push(() => runtime.close());
  return runtime;
}

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("nothing is created before the first call", async () => {
  const root = join(await fresh(), "not/yet");
  open({ root });
  await expect(stat(root)).rejects.toMatchObject({ code: "ENOENT" });
});

test("by default workspaces are in a directory of this user below the temporary one", async () => {
  const workspace = await open({}).create(`test-${process.pid}-${Date.now()}`);
  undo.push(async () => void (await localRuntime({ isolation: "none" }).destroy(workspace.id)));
  const base = join(tmpdir(), `skillwright-${process.geteuid?.()}`);
  const [own, ...rest] = relative(join(base, "workspaces/.skillwright"), workspace.root).split("/");
  expect([own, rest]).toEqual([expect.stringMatching(/^of-dir-[0-9a-f]{16}$/), [workspace.id, "tree"]]);
  expect(await mode(base)).toBe(isRoot ? "711" : "700");
});

test("other users cannot read workspaces; a root host allows its commands' user to pass through", async () => {
  const root = join(await fresh(), "root");
  await open({ root }).create("w1");
  expect(await mode(root)).toBe(isRoot ? "711" : "700");
  expect(await mode(join(root, "w1"))).toBe(isRoot ? "710" : "700");
  const { uid } = await stat(join(root, "w1/tree/work"));
  expect(uid).toBe(isRoot ? 64_000 : process.geteuid?.());
  expect((await stat(join(root, "w1/tree"))).uid).toBe(process.geteuid?.());
});

test("the modes do not depend on the process's umask", async () => {
  const root = join(await fresh(), "root");
  const before = process.umask(0o077);
  undo.push(async () => void process.umask(before));
  await open({ root }).create("w1");
  expect(await mode(join(root, "w1/tree/out"))).toBe("755");
});

test("a workspace has the directories of its layout, and others only when they are needed", async () => {
  const root = await fresh();
  const workspace = await open({ root }).create("w1");
  const names = async () => (await readdir(join(root, "w1"))).sort();
  expect(await names()).toEqual(["record.json", "tree"]);
  await workspace.put([{ path: "out/a.txt", content: "a" }]);
  expect(await names()).toEqual(["incoming", "record.json", "tree"]);
});

test("LIFE-09: a root that is a link, a file, or accessible to others is refused", async () => {
  const directory = await fresh();
  await symlink("/tmp", join(directory, "link"));
  await writeFile(join(directory, "file"), "");
  await mkdir(join(directory, "open"));
  await chmod(join(directory, "open"), 0o777);
  for (const [name, why] of [
    ["link", "not a directory"],
    ["file", "not a directory"],
    ["open", "other users can write"],
  ])
    await expect(open({ root: join(directory, name ?? "") }).list()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(why ?? ""),
      details: { root: join(directory, name ?? "") },
    });
});

test("LIFE-09: a workspace's path that another user created counts as taken", async () => {
  const root = await fresh();
  const runtime = open({ root });
  await runtime.list();
  await symlink("/tmp", join(root, "linked"));
  await mkdir(join(root, "made"));
  await writeFile(join(root, "made/x"), "");
  for (const id of ["linked", "made"])
    await expect(runtime.create(id)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await runtime.attach("linked")).toBeUndefined();
  await expect(runtime.attach("made")).rejects.toMatchObject({ code: "WORKSPACE_DAMAGED" });
});

test("an id that is no plain name of up to 64 characters reaches nothing on disk", async () => {
  const outside = await fresh();
  const root = join(outside, "root");
  const runtime = open({ root });
  await runtime.create("w1");
  await mkdir(join(outside, "other"));
  for (const id of ["", ".", "..", "../other", "w1/../../other", "w1/", "a b", "é", "w1\n", "x".repeat(65)]) {
    expect(await runtime.attach(id)).toBeUndefined();
    expect(await runtime.destroy(id)).toBe(false);
    expect(await runtime.repair?.(id)).toBe(false);
    await expect(runtime.create(id)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
  expect(await readdir(outside)).toEqual(["other", "root"]);
  expect(await runtime.list()).toEqual(["w1"]);
  expect((await runtime.create("x".repeat(64))).id).toHaveLength(64);
});

test("a root that every sandboxed command would see is refused", async () => {
  await expect(open({ root: "/usr/local/lib/workspaces" }).list()).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("below /usr"),
  });
});

if (isRoot)
  test("LIFE-09: a root that belongs to another user is refused", async () => {
    const root = await fresh();
    await chown(root, 1234, 1234);
    await expect(open({ root }).create("w1")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("user 1234"),
    });
  });

if (isRoot && hasAll("bubblewrap"))
  test("a root host whose commands' user cannot reach the root is told the directory in the way", async () => {
    const closed = await fresh();
    await mkdir(join(closed, "below"));
    const runtime = open({ root: join(closed, "below/root"), isolation: "sandbox" });
    await expect(runtime.capabilities()).rejects.toMatchObject({
      code: "ISOLATION_UNAVAILABLE",
      message: expect.stringContaining(closed),
    });
  });

test("LIFE-05: unfinished and partly removed data of killed processes is swept; existing and new workspaces stay", async () => {
  const root = await fresh();
  await open({ root }).create("kept");
  for (const name of [
    ".skillwright-trash-1",
    ".skillwright-new-old",
    ".skillwright-new-now",
    ".skillwright/registry/.new-old",
    ".skillwright/registry/.new-now",
  ])
    await mkdir(join(root, name, "x"), { recursive: true });
  await mkdir(join(root, ".skillwright/registry/gone.lease"));
  await writeFile(join(root, ".skillwright/registry/gone.lease/1-2147480000-0-1-1-a"), "");
  await symlink("nowhere", join(root, ".skillwright-new-link"));
  for (const name of [".skillwright-new-old", ".skillwright/registry/.new-old"])
    await utimes(join(root, name), 0, 0);
  expect(await open({ root }).list()).toEqual(["kept"]);
  const left = [...(await readdir(root)), ...(await readdir(join(root, ".skillwright")))];
  // Written once, on a machine that has only `python3`.
  expect(left.filter((name) => name !== "fallback").sort()).toEqual([
    ".skillwright",
    ".skillwright-new-link",
    ".skillwright-new-now",
    "kept",
    "registry",
  ]);
  expect(await readdir(join(root, ".skillwright/registry"))).toEqual([".new-now"]);
});

test("a run that nobody keeps leaves nothing of its record", async () => {
  const root = await fresh();
  const runtime = open({ root });
  const workspace = await runtime.create("w1");
  await (
    await workspace.start({
      runId: "r",
      command: "true",
      cwd: ".",
      env: {},
      timeoutMs: 5000,
      maxOutputBytes: 0,
    })
  ).result;
  await runtime.close();
  // The directories exist once the workspace has had a run, with a supervisor or without.
  for (const name of ["records/unkept", "live"])
    expect(await readdir(join(root, "w1", name)).catch(() => [])).toEqual([]);
  expect((await lstat(join(root, "w1/tree"))).isDirectory()).toBe(true);
});
