import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { times } from "../../../test/full-form.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { workspaceManager } from "../src/index.js";
import { type Operation, unexplained } from "./history/explained.js";
import { type WorkspaceState, workspaceModel } from "./history/workspace-model.js";
import { testIsolations } from "./workspace-fixture.js";

const ROUNDS = times(200, 0.4);
/** Numbers of calls that change the file system. One of the two processes is killed before each of them and started again. */
const KILLED_AT = [190, 201, 212, 223, 234, 245, 256, 267];
/** How long operations of a killed process may still take effect, in microseconds. */
const AFTERMATH = 10_000_000;

const script = fileURLToPath(new URL("children/share-workspaces.mjs", import.meta.url));

const countDown = fileURLToPath(new URL("../../repository-fs/test/children/count-down.mjs", import.meta.url));

type Told = Operation & { readonly key: string };
type Line = {
  begin?: string;
  end?: string;
  key?: string;
  kind?: string;
  at?: number;
  result?: string;
  diagnostic?: string;
};

if (hasAll("packages/workspace/dist"))
  describe.each(await testIsolations())("two processes that share workspaces, isolation %s", (isolation) => {
    test("CONC-04: in many rounds, with kills, all results are those of a single process", async () => {
      const directory = await mkdtemp(path.join(tmpdir(), "skillwright-share-"));
      await chmod(directory, 0o755);
      const [steady, killed] = await Promise.all([
        worker(directory, isolation, []),
        worker(directory, isolation, KILLED_AT),
      ]);
      const history = [...steady.operations, ...killed.operations];
      expect(history.filter(({ result }) => result?.startsWith("error"))).toEqual([]);
      expect(history.length).toBeGreaterThanOrEqual(2 * ROUNDS);
      expect(killed.kills).toBeGreaterThan(2);
      expect(history.some(({ result }) => result === undefined)).toBe(true);
      for (const key of ["a", "b", "c"]) {
        const own = history.filter((operation) => operation.key === key);
        expect(own.filter(({ kind }) => kind === "append").length).toBeGreaterThan(ROUNDS / 10);
        const state: WorkspaceState = "absent";
        expect(unexplained<WorkspaceState>(own, state, workspaceModel), `session ${key}`).toEqual([]);
      }
      await leavesNothing(directory, isolation);
      await rm(directory, { recursive: true, force: true });
    });
  });

test("detects a lost update, concurrent runs and a lost upload", () => {
  const of = (kind: string, name: string, result: string | undefined, begin: number, end: number) => ({
    kind,
    name,
    result,
    begin,
    end,
  });
  const holds = (...operations: Operation[]) =>
    unexplained<WorkspaceState>([of("open", "o", "ok", 0, 1), ...operations], "absent", workspaceModel)
      .length === 0;
  expect(holds(of("append", "x", "x", 2, 9), of("append", "y", "x y", 3, 9))).toBe(true);
  expect(holds(of("append", "x", "y x", 2, 9), of("append", "y", "y", 3, 9))).toBe(true);
  expect(holds(of("append", "x", "x", 2, 9), of("append", "y", "y", 3, 9))).toBe(false);
  expect(holds(of("append", "x", "x y", 2, 9), of("append", "y", "x y", 3, 9))).toBe(false);
  expect(holds(of("append", "x", "y x", 2, 3), of("append", "y", "y", 4, 9))).toBe(false);
  expect(holds(of("upload", "x", "f.txt", 2, 9), of("upload", "y", "f.txt", 3, 9))).toBe(false);
  expect(holds(of("destroy", "x", "true", 2, 9), of("destroy", "y", "true", 3, 9))).toBe(false);
  expect(holds(of("append", "x", undefined, 2, 99), of("append", "y", "x y", 3, 9))).toBe(true);
  expect(holds(of("append", "x", undefined, 2, 99), of("append", "y", "y", 3, 9))).toBe(true);
});

/** Works through the rounds, and starts again after each kill. */
async function worker(
  directory: string,
  isolation: string,
  killedAt: readonly number[],
): Promise<{ operations: Told[]; kills: number }> {
  const operations: Told[] = [];
  let done = 0;
  let kills = 0;
  for (const killAt of [...killedAt, undefined]) {
    if (done >= ROUNDS) break;
    const { lines, isKilled } = await oneLife(
      [directory, isolation, String(done), String(ROUNDS - done)],
      killAt,
    );
    if (isKilled) kills++;
    operations.push(...told(lines));
    done += lines.filter(({ end }) => end !== undefined).length;
  }
  return { operations, kills };
}

/** Runs the process to its end, or until it is killed before the call with the number `killAt`. */
async function oneLife(
  parameters: readonly string[],
  killAt: number | undefined,
): Promise<{ lines: readonly Line[]; isKilled: boolean }> {
  const { NODE_OPTIONS, VITEST, ...env } = process.env;
  const child: ChildProcess = spawn(process.execPath, ["--import", countDown, script, ...parameters], {
    env: { ...env, KILL_AT: String(killAt ?? 0) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: Line[] = [];
  const reading = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  reading.on("line", (text) => lines.push(JSON.parse(text) as Line));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on("close", (...how) => resolve(how)),
  );
  const isKilled = killAt !== undefined && signal === "SIGKILL";
  expect(code === 0 || isKilled, `It ended with ${code ?? signal}.`).toBe(true);
  return { lines, isKilled };
}

function told(lines: readonly Line[]): Told[] {
  const ends = new Map(lines.flatMap((line) => (line.end === undefined ? [] : [[line.end, line] as const])));
  const last = Math.max(...lines.map(({ at = 0 }) => at));
  return lines.flatMap(({ begin, key = "", kind = "", at = 0 }) => {
    if (begin === undefined) return [];
    const end = ends.get(begin);
    return [{ name: begin, key, kind, begin: at, result: end?.result, end: end?.at ?? last + AFTERMATH }];
  });
}

async function leavesNothing(directory: string, isolation: string): Promise<void> {
  const runtime = localRuntime({
    root: path.join(directory, "workspaces"),
    isolation: isolation === "sandbox" ? "sandbox" : "none",
  });
  const registry = recordRegistry(fsRecords({ root: path.join(directory, "registry") }));
  const workspaces = workspaceManager({ skills: skillBox({ own: memoryRepository() }), runtime, registry });
  await workspaces.sweep();
  const { diagnostics } = await workspaces.sweep();
  expect(diagnostics).toEqual([]);
  // Opening a session again finds what a killed process began for it.
  for (const session of ["a", "b", "c"]) await workspaces.forSession({ app: "share", user: "ada", session });
  const ids = await runtime.list();
  expect(ids).toHaveLength(3);
  expect((await registry.list()).map(({ workspaceId }) => workspaceId)).toEqual(ids);
  for (const id of ids) expect((await workspaces.run(id, { command: "true" })).exitCode).toBe(0);
  for (const id of ids) expect(await workspaces.destroy(id)).toBe(true);
  expect(await registry.list()).toEqual([]);
  // The manager does not wait until the record of a lease is removed.
  await expect.poll(() => readdir(path.join(directory, "registry"))).toEqual([]);
  await workspaces.close();
  await runtime.close();
}
