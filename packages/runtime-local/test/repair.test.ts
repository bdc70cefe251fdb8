import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { findProgram } from "../src/host/find-program.js";
import { ownHost } from "../src/host/own-host.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { markedSleep, processesWith, SLEEP_MS } from "./running.js";

async function damaged() {
  const { runtime, other, root, dispose } = await localSubject("none");
  onTestFinished(dispose);
  const workspace = await runtime.create("w1");
  const directory = join(root, "w1");
  const damage = () => writeFileSync(join(directory, "record.json"), "{");
  return { runtime, other, workspace, directory, damage };
}

test.each(["tree/skills", "tree/work", "tree", "incoming", "live", "tmp"])(
  "repairing refuses a workspace whose %s a command replaced by a link, and leaves the link's target alone",
  async (name) => {
    const { runtime, directory, damage } = await damaged();
    const { path: outside, remove } = await temporaryDirectory();
    onTestFinished(remove);
    mkdirSync(join(outside, "own/deep"), { recursive: true });
    writeFileSync(join(outside, "own/deep/kept.txt"), "kept");
    damage();
    rmSync(join(directory, name), { recursive: true, force: true });
    symlinkSync(outside, join(directory, name));
    await expect(runtime.repair?.("w1")).rejects.toSatisfy((error) => SkillError.is(error, "PATH_OUTSIDE"));
    expect(readFileSync(join(outside, "own/deep/kept.txt"), "utf8")).toBe("kept");
    expect(readFileSync(join(directory, "record.json"), "utf8")).toBe("{");
    rmSync(join(directory, name));
    expect(await runtime.repair?.("w1")).toBe(true);
  },
);

const STAGED = { demo: { digest: "sha256:1" } };
const WHOLE = { formatVersion: 1, id: "w1", createdAt: "2026-01-01T00:00:00Z", staged: STAGED };

test.each<[string, string, object | string]>([
  ["text that is no JSON", "is no JSON object", "{"],
  ["a list", "is no JSON object", "[]"],
  ["no format", "lacks a field", { formatVersion: undefined }],
  ["format 0", "lacks a field", { formatVersion: 0 }],
  ["a format that is text", "lacks a field", { formatVersion: "2" }],
  ["no id", "lacks a field", { id: undefined }],
  ["no time", "lacks a field", { createdAt: 5 }],
  ["no skills", "has a field of another kind", { staged: undefined }],
  ["a list of skills", "has a field of another kind", { staged: [] }],
  ["a skill that is null", "has a field of another kind", { staged: { demo: null } }],
  ["a skill without a digest", "has a field of another kind", { staged: { ...STAGED, other: {} } }],
  ["a skill whose digest is a number", "has a field of another kind", { staged: { demo: { digest: 1 } } }],
  ["notes that are a list", "has a field of another kind", { notes: [] }],
  ["a later format", "has format 2, and this version reads format 1", { formatVersion: 2 }],
])("a record with %s is damaged: it %s", async (_, why, changed) => {
  const { runtime, directory } = await damaged();
  const record = typeof changed === "string" ? changed : JSON.stringify({ ...WHOLE, ...changed });
  writeFileSync(join(directory, "record.json"), record);
  await expect(runtime.attach("w1")).rejects.toMatchObject({
    code: "WORKSPACE_DAMAGED",
    message: expect.stringContaining(why),
    details: { workspaceId: "w1" },
  });
});

test("a workspace of a later format is not repaired, and keeps its record", async () => {
  const { runtime, directory } = await damaged();
  const record = JSON.stringify({ ...WHOLE, formatVersion: 2 });
  writeFileSync(join(directory, "record.json"), record);
  await expect(runtime.repair?.("w1")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  expect(readFileSync(join(directory, "record.json"), "utf8")).toBe(record);
});

test("a record is whole without notes, and damaged where it is missing or a directory", async () => {
  const { runtime, directory } = await damaged();
  const file = join(directory, "record.json");
  for (const record of [WHOLE, { ...WHOLE, notes: { key: "text" } }]) {
    writeFileSync(file, JSON.stringify(record));
    expect((await runtime.attach("w1"))?.id).toBe("w1");
  }
  const missing = { code: "WORKSPACE_DAMAGED", message: expect.stringContaining("is missing") };
  rmSync(file);
  await expect(runtime.attach("w1")).rejects.toMatchObject(missing);
  expect(await runtime.repair?.("w1")).toBe(true);
  rmSync(file);
  mkdirSync(join(file, "x"), { recursive: true });
  await expect(runtime.attach("w1")).rejects.toMatchObject(missing);
  expect(await runtime.repair?.("w1")).toBe(true);
  expect((await runtime.attach("w1"))?.id).toBe("w1");
  rmSync(directory, { recursive: true });
  expect(await runtime.attach("w1")).toBeUndefined();
});

test("repairing ends the runs of all runtimes in the workspace first", async () => {
  const { runtime, other, workspace, damage } = await damaged();
  const attached = await other.attach("w1");
  if (!attached) throw new Error("The workspace is gone.");
  const command = markedSleep();
  const common = { command, cwd: ".", env: {}, timeoutMs: SLEEP_MS, maxOutputBytes: 0 };
  const handles = [
    await workspace.start({ ...common, runId: "own" }),
    await attached.start({ ...common, runId: "other" }),
  ];
  expect(await runtime.repair?.("w1")).toBe(false);
  damage();
  expect(await runtime.repair?.("w1")).toBe(true);
  expect(processesWith(command)).toEqual([]);
  for (const { result } of handles) expect(await result).toMatchObject({ exitCode: 137, timedOut: false });
});

if (hasAll("supervisor", "bubblewrap", "root"))
  test("a command that could not be started says so, also where the record was damaged meanwhile", async () => {
    const [{ path: root, remove }, programs] = [await temporaryDirectory(), await temporaryDirectory()];
    const launcher = join(programs.path, "bwrap");
    copyFileSync((await findProgram("bwrap")) ?? "", launcher);
    chmodSync(programs.path, 0o755);
    const runtime = localRuntimeOn({ ...ownHost(), directories: [programs.path] }, { root });
    onTestFinished(async () => {
      await runtime.close();
      await Promise.all([remove(), programs.remove()]);
    });
    const workspace = await runtime.create("w1");
    rmSync(launcher);
    const common = { cwd: ".", env: {}, timeoutMs: SLEEP_MS, maxOutputBytes: 100 };
    const { result } = await workspace.start({ ...common, command: "true", runId: "own" });
    writeFileSync(join(root, "w1/record.json"), "{");
    await expect(result).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("ENOENT"),
    });
  });

if (hasAll("supervisor"))
  test.each([
    ["stopped", "kill -STOP $PPID"],
    ["stops without end", "while :; do kill -STOP $PPID; done"],
  ])(
    "repairing leaves no process of a run of another runtime whose supervisor a command %s",
    async (_, stopping) => {
      const { runtime, other, damage } = await damaged();
      const attached = await other.attach("w1");
      if (!attached) throw new Error("The workspace is gone.");
      const sleep = markedSleep();
      const command = `(setsid ${sleep} &); echo > out/up; ${stopping}; ${sleep}; true`;
      const common = { cwd: ".", env: {}, timeoutMs: SLEEP_MS, maxOutputBytes: 100 };
      const handle = await attached.start({ ...common, command, runId: "other" });
      // A stopped supervisor records no output.
      await expect.poll(async () => await attached.list("out")).toHaveLength(1);
      damage();
      expect(await runtime.repair?.("w1")).toBe(true);
      expect(processesWith(sleep)).toEqual([]);
      expect(await handle.result).toMatchObject({ exitCode: 137, timedOut: false });
    },
  );
