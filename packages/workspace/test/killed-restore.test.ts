import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { bytesOf } from "./snapshot-fixture.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const script = fileURLToPath(new URL("children/restore-and-die.mjs", import.meta.url));
const RESTORED = { ...SESSION, session: "restored" };

if (hasAll("packages/workspace/dist")) {
  test("a workspace whose restore was killed before the first file does not count as complete", async () => {
    await using fixture = await workspaceFixture("none");
    const { workspaces, runtime, directory } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    await workspaces.upload(id, "a.txt", "a");
    const packed = await workspaces.snapshot(id, (snapshot) => bytesOf(snapshot.content));
    const file = path.join(directory, "snapshot");
    await writeFile(file, packed);
    const child = spawn(process.execPath, [script, directory, file], { stdio: "inherit" });
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    expect(await runtime.list()).toHaveLength(2);
    expect((await workspaces.list()).map((workspace) => workspace.id)).toEqual([id]);
    const restored = await workspaces.restore(packed, { session: RESTORED });
    expect(await workspaces.files(restored.id)).toMatchObject([{ path: "work/inputs/a.txt" }]);
  });
}

test("a restore into a session that has a workspace leaves that workspace and its record as they were", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces, runtime } = fixture;
  const { id } = await workspaces.forSession(SESSION);
  await workspaces.upload(id, "a.txt", "a");
  const packed = await workspaces.snapshot(id, (snapshot) => bytesOf(snapshot.content));
  const before = await runtime.registry?.get(id);
  await expect(workspaces.restore(packed, { session: SESSION })).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await runtime.registry?.get(id)).toMatchObject({ createdAt: before?.createdAt });
  expect((await runtime.registry?.get(id))?.state).not.toBe("destroying");
  expect(await workspaces.files(id)).toHaveLength(1);
});

test("a restore whose workspace cannot be created leaves no record", async () => {
  await using fixture = await workspaceFixture("none");
  const { workspaces, runtime } = fixture;
  const { id } = await workspaces.forSession(SESSION);
  const packed = await workspaces.snapshot(id, (snapshot) => bytesOf(snapshot.content));
  runtime.create = async () => {
    throw new Error("There is no space left.");
  };
  await expect(workspaces.restore(packed, { session: RESTORED })).rejects.toThrow("no space");
  expect((await runtime.registry?.list())?.map(({ workspaceId }) => workspaceId)).toEqual([id]);
});
