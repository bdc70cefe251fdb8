import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { describe, expect, test } from "vitest";
import { workspaceManager } from "../src/index.js";
import { packedSnapshot, RECORD, tarOf } from "./snapshot-fixture.js";
import { SESSION, textOf, workspaceFixture } from "./workspace-fixture.js";

const code = async (work: Promise<unknown>) =>
  await work.then(
    () => "nothing",
    (error: unknown) => (SkillError.is(error) ? error.code : error),
  );
const good = { name: "work/good", content: "good" };

/** A runtime that counts its calls. */
function counting(runtime: WorkspaceRuntime): { runtime: WorkspaceRuntime; created: () => number } {
  let created = 0;
  const create: WorkspaceRuntime["create"] = async (...given) => {
    created++;
    return await runtime.create(...given);
  };
  return { runtime: { ...runtime, create }, created: () => created };
}

const headers: readonly [string, string, Parameters<typeof packedSnapshot>[0]][] = [
  ["a path that climbs", "PATH_OUTSIDE", [{ name: "work/../../x", content: "x" }]],
  ["an absolute path", "PATH_OUTSIDE", [{ name: "/etc/x", content: "x" }]],
  ["a drive", "PATH_OUTSIDE", [{ name: "C:/x", content: "x" }]],
  ["a backslash", "PATH_INVALID", [{ name: "work\\x", content: "x" }]],
  ["an empty part", "PATH_INVALID", [{ name: "work//x", content: "x" }]],
  ["a file in runs/", "INPUT_INVALID", [{ name: "runs/x", content: "x" }]],
  ["a file in skills/", "INPUT_INVALID", [{ name: "skills/demo/SKILL.md", content: "x" }]],
  ["a folder in runs/", "INPUT_INVALID", [{ name: "runs/x/", type: "directory" }]],
  ["a folder in skills/", "INPUT_INVALID", [{ name: "skills/demo/", type: "directory" }]],
  ["a folder beside work/ and out/", "INPUT_INVALID", [{ name: "workshop/", type: "directory" }]],
  ["a file for work/ itself", "INPUT_INVALID", [{ name: "work", content: "x" }]],
  ["a symbolic link", "INPUT_INVALID", [{ name: "work/x", type: "symlink", linkname: "/etc/passwd" }]],
  ["a hard link", "INPUT_INVALID", [{ name: "work/x", type: "link", linkname: "/etc/passwd" }]],
  ["a device", "INPUT_INVALID", [{ name: "work/x", type: "character-device", devmajor: 1, devminor: 3 }]],
  ["a pipe", "INPUT_INVALID", [{ name: "work/x", type: "fifo" }]],
  ["a path twice", "INPUT_INVALID", [good]],
  ["a file that is a folder too", "INPUT_INVALID", [{ name: "work/good/x", content: "x" }]],
  ["a folder that is a file too", "INPUT_INVALID", [{ name: "work/d/x", content: "x" }, { name: "work/d" }]],
];

describe("a snapshot is refused before a workspace is created, with", () => {
  async function refusal(packed: Buffer, limits = {}): Promise<unknown> {
    await using fixture = await workspaceFixture("none");
    const { runtime, created } = counting(fixture.runtime);
    await using workspaces = workspaceManager({ skills: fixture.skills, runtime });
    const refused = await code(workspaces.restore(packed, { session: SESSION, limits }));
    expect(created()).toBe(0);
    expect(await fixture.runtime.list()).toEqual([]);
    expect(await readdir(fixture.directory)).not.toContain("x");
    return refused;
  }

  test.each(headers)("%s: %s", async (_, expected, entries) => {
    expect(await refusal(await packedSnapshot([good, ...entries]))).toBe(expected);
  });

  test("more bytes or files than allowed", async () => {
    const packed = await packedSnapshot([good, { name: "out/x", content: "12345" }]);
    expect(await refusal(packed, { bytes: 8 })).toBe("LIMIT_EXCEEDED");
    expect(await refusal(packed, { files: 1 })).toBe("LIMIT_EXCEEDED");
    expect(await refusal(packed, { files: -1 })).toBe("INPUT_INVALID");
  });

  test("a bomb, in a file or after the end, before it is unpacked", async () => {
    const huge = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    expect(huge.byteLength).toBeLessThan(300_000);
    const limits = { bytes: 1024, files: 10 };
    expect(await refusal(huge, limits)).toBe("LIMIT_EXCEEDED");
    const inFile = await packedSnapshot([{ name: "work/zeros", content: Buffer.alloc(50 * 1024 * 1024) }]);
    expect(await refusal(inFile, limits)).toBe("LIMIT_EXCEEDED");
    const tar = await tarOf([{ name: "snapshot.json", content: RECORD }, good]);
    const padded = gzipSync(Buffer.concat([tar, Buffer.alloc(50 * 1024 * 1024)]));
    expect(await refusal(padded, limits)).toBe("LIMIT_EXCEEDED");
  });

  test("a missing end, changed bytes, other data and no data", async () => {
    const packed = await packedSnapshot([good, { name: "out/x", content: Buffer.alloc(100_000, "x") }]);
    const changed = Buffer.from(packed);
    changed[changed.length - 6] = (changed.at(-6) ?? 0) ^ 1;
    for (const bytes of [packed.subarray(0, -20), changed, Buffer.from("no archive"), Buffer.alloc(0)])
      expect(await refusal(bytes)).toBe("INPUT_INVALID");
    expect(await refusal(gzipSync(Buffer.alloc(0)))).toBe("INPUT_INVALID");
    const cut = (await tarOf([{ name: "snapshot.json", content: RECORD }, good])).subarray(0, 1536);
    expect(await refusal(gzipSync(cut))).toBe("INPUT_INVALID");
  });

  test("no record, an invalid record, and one of a later format", async () => {
    expect(await refusal(gzipSync(await tarOf([good])))).toBe("INPUT_INVALID");
    for (const record of ["", "[]", "null", "{}", '{"formatVersion":1}', " ".repeat(2_000_000)])
      expect(await refusal(await packedSnapshot([], record))).toBe("INPUT_INVALID");
    expect(await refusal(await packedSnapshot([], '{"formatVersion":2}'))).toBe("UNSUPPORTED");
    expect(await refusal(await packedSnapshot([{ name: "snapshot.json", content: RECORD }]))).toBe(
      "INPUT_INVALID",
    );
  });
});

/** A runtime whose files fail after the first. */
function failing(runtime: WorkspaceRuntime, fail: () => Promise<void>): WorkspaceRuntime {
  return {
    ...runtime,
    create: async (...given) => {
      const workspace = await runtime.create(...given);
      return {
        ...workspace,
        put: async (files, options) => {
          let count = 0;
          const some = async function* () {
            for await (const file of files) {
              if (count++ === 1) await fail();
              yield file;
            }
          };
          await workspace.put(some(), options);
        },
      };
    },
  };
}

describe.each([false, true])("a restore that fails halfway, with a registry: %s", (isShared) => {
  const registry = (directory: string) =>
    isShared ? { registry: recordRegistry(fsRecords({ root: path.join(directory, "registry") })) } : {};
  const entries = [good, { name: "work/more", content: "more" }];

  test("leaves no workspace, and the session can create one", async () => {
    await using fixture = await workspaceFixture("none");
    const fail = () => Promise.reject(new Error("the disk is full"));
    const runtime = failing(fixture.runtime, fail);
    await using workspaces = workspaceManager({
      skills: fixture.skills,
      runtime,
      ...registry(fixture.directory),
    });
    expect(await code(workspaces.restore(await packedSnapshot(entries), { session: SESSION }))).toBe(
      "BACKEND_FAILED",
    );
    expect(await fixture.runtime.list()).toEqual([]);
    expect(await workspaces.files((await workspaces.forSession(SESSION)).id)).toEqual([]);
  });

  test("because it was aborted leaves none either, nor does closing", async () => {
    await using fixture = await workspaceFixture("none");
    const controller = new AbortController();
    const runtime = failing(fixture.runtime, async () => controller.abort());
    await using workspaces = workspaceManager({
      skills: fixture.skills,
      runtime,
      ...registry(fixture.directory),
    });
    const packed = await packedSnapshot(entries);
    expect(await code(workspaces.restore(packed, { signal: controller.signal }))).toBe("ABORTED");
    expect(await fixture.runtime.list()).toEqual([]);
    let closing: Promise<void> | undefined;
    const closed = workspaceManager({
      skills: fixture.skills,
      runtime: failing(fixture.runtime, async () => {
        closing = closed.close();
      }),
      ...registry(fixture.directory),
    });
    expect(await code(closed.restore(packed))).toBe("CLOSED");
    await closing;
    expect(await fixture.runtime.list()).toEqual([]);
  });

  test("calls that arrive while it is filled wait and see it complete", async () => {
    await using fixture = await workspaceFixture("none");
    const seen: Promise<unknown>[] = [];
    let ended = 0;
    const runtime = failing(fixture.runtime, async () => {
      const { id } = (await fixture.runtime.list()).map((id) => ({ id }))[0] ?? { id: "" };
      seen.push(workspaces.forSession(SESSION).then(({ id }) => workspaces.files(id)));
      seen.push(workspaces.files(id));
      seen.push(workspaces.run(id, { command: "ls work | wc -l" }).then(({ stdout }) => stdout.text.trim()));
      for (const call of seen) void call.finally(() => ended++);
      // The same calls for a workspace that is complete, started later, have ended.
      const other = { ...SESSION, session: "complete" };
      const complete = await fixture.workspaces.forSession(other);
      await fixture.workspaces.files(complete.id);
      await fixture.workspaces.run(complete.id, { command: "ls work | wc -l" });
      expect(ended).toBe(0);
    });
    await using workspaces = workspaceManager({
      skills: fixture.skills,
      runtime,
      ...registry(fixture.directory),
    });
    await workspaces.restore(await packedSnapshot(entries), { session: SESSION });
    const [first, second, third] = await Promise.all(seen);
    expect(first).toMatchObject([{ path: "work/good" }, { path: "work/more" }]);
    expect(second).toEqual(first);
    expect(Number(third)).toBeGreaterThanOrEqual(2);
  });
});

test("a workspace that is being filled is marked as being destroyed, so that others finish that should this process die", async () => {
  await using fixture = await workspaceFixture("none");
  const registry = recordRegistry(fsRecords({ root: path.join(fixture.directory, "registry") }));
  const { skills } = fixture;
  await using elsewhere = workspaceManager({ skills, runtime: fixture.runtime, registry });
  const seen: unknown[] = [];
  const runtime = failing(fixture.runtime, async () => {
    const [id = ""] = await fixture.runtime.list();
    seen.push(
      (await registry.get(id))?.state,
      await elsewhere.attach(id),
      (await elsewhere.sweep()).finished,
    );
  });
  await using workspaces = workspaceManager({ skills, runtime, registry });
  const { id } = await workspaces.restore(await packedSnapshot([good, { name: "out/x", content: "x" }]));
  expect(seen).toEqual(["destroying", undefined, []]);
  expect((await registry.get(id))?.state).toBeUndefined();
  expect(await elsewhere.files(id)).toMatchObject([{ path: "out/x" }, { path: "work/good" }]);
});

test("a restore reuses an id, and refuses one that exists, is invalid or belongs to another session", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces } = fixture;
  const packed = await packedSnapshot([good]);
  const { id } = await workspaces.create();
  expect(await code(workspaces.restore(packed, { id }))).toBe("CONFLICT");
  await workspaces.write(id, "work/own", "untouched");
  expect(await code(workspaces.restore(packed, { id }))).toBe("CONFLICT");
  expect(await textOf(await workspaces.download(id, "work/own"))).toBe("untouched");
  await workspaces.destroy(id);
  expect((await workspaces.restore(packed, { id })).id).toBe(id);
  expect(await textOf(await workspaces.download(id, "work/good"))).toBe("good");
  expect(await code(workspaces.restore(packed, { id: "../x" }))).toBe("INPUT_INVALID");
  expect(await code(workspaces.restore(packed, { id, session: SESSION }))).toBe("INPUT_INVALID");
});

test("an error of the stream is rethrown unchanged, and a stream that hangs can be aborted", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces, runtime } = fixture;
  await mkdir(path.join(fixture.directory, "workspaces"), { recursive: true });
  const broken = async function* () {
    yield Buffer.from([0x1f, 0x8b]);
    throw new Error("the connection was lost");
  };
  await expect(workspaces.restore(broken())).rejects.toThrow("the connection was lost");
  const hanging = async function* () {
    yield Buffer.from([0x1f, 0x8b]);
    await new Promise(() => {});
  };
  const signal = AbortSignal.timeout(50);
  expect(await code(workspaces.restore(hanging(), { signal }))).toBe("ABORTED");
  expect(await runtime.list()).toEqual([]);
});
