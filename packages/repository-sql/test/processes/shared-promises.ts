import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readText } from "@skillwright/core";
import { expect, it } from "vitest";
import { sqlArtifacts, sqlRecords, sqlRepository } from "../../src/index.js";
import type { SharedDatabase } from "../databases/subjects.js";
import { SCOPE, skill } from "../skill.js";

const RECORD = ["test", "ada", "one"];
const PROGRAM = fileURLToPath(new URL("../children/store.mjs", import.meta.url));

export interface Place {
  /** Returns the location of a database without tables. */
  empty(): Promise<{ readonly location: string; migrations(): Promise<number[]>; dispose(): Promise<void> }>;
  fresh(): Promise<SharedDatabase>;
}

/** Registers tests with several processes on one database. */
export function testProcesses({ empty, fresh }: Place): void {
  it("is migrated once by several processes that open it at the same time", async () => {
    const { location, migrations, dispose } = await empty();
    const children = Array.from({ length: 4 }, () => start(location, "open"));
    const outcomes = await Promise.all(children.map(outcome));
    expect(outcomes).toEqual(children.map(() => ({ code: 0, output: "done\n" })));
    expect(await migrations()).toEqual([1, 2, 3]);
    await dispose();
  });

  it("keeps every version, record, entry and artifact of two processes that write at the same time", async () => {
    const { location, database, dispose } = await fresh();
    const children = ["a", "b"].map((name) => start(location, "write", name));
    const outcomes = await Promise.all(children.map(outcome));
    expect(outcomes).toEqual(children.map(() => ({ code: 0, output: "done\n" })));
    const texts = ["a", "b"].flatMap((name) => [0, 1, 2, 3, 4, 5].map((round) => `${name} ${round}`));
    const skills = sqlRepository({ database });
    const versions = (await skills.versions("shared")).map(({ version }) => version);
    expect(versions).toEqual(texts.map((_, index) => String(texts.length - index)));
    const bodies = versions.map(async (version) => (await skills.load("shared", { version })).body);
    expect((await Promise.all(bodies)).sort()).toEqual(texts);
    const records = sqlRecords({ database });
    expect((await records.get(RECORD)).value).toBe(texts.length);
    const entries = await records.read(RECORD, "log", { from: 0, limit: 100 });
    expect([...entries].sort()).toEqual(texts);
    const artifacts = sqlArtifacts({ database });
    const saved = (await artifacts.versions(SCOPE, "report")).map(async ({ version }) =>
      readText((await artifacts.open(SCOPE, "report", { version })).content, 100),
    );
    expect((await Promise.all(saved)).sort()).toEqual(texts);
    await dispose();
  });

  it.each([
    "INSERT INTO skillwright_record ",
    "DELETE FROM skillwright_record_log",
    "INSERT INTO skillwright_record_log",
    "COMMIT",
  ])("keeps a record and its logs when a process that changes them is killed before %s", async (point) => {
    const { location, database, dispose } = await fresh();
    const records = sqlRecords({ database });
    const logs = { log: ["kept"], old: ["kept"] };
    const revision = await records.write(RECORD, { value: "old", append: logs });
    const child = start(location, "record", point);
    const ended = outcome(child);
    await Promise.race([once(child.stdout ?? child, "data"), ended]);
    child.kill("SIGKILL");
    expect(await ended).toEqual({ code: null, output: "stalled\n" });
    expect(await records.get(RECORD)).toMatchObject({ value: "old", revision });
    for (const log of Object.keys(logs))
      expect(await records.read(RECORD, log, { from: 0, limit: 10 }), log).toEqual(["kept"]);
    // Nothing is locked any more.
    await records.write(RECORD, { from: revision, value: "new", append: { log: ["new"] } });
    expect(await records.read(RECORD, "log", { from: 1, limit: 10 })).toEqual(["new"]);
    await dispose();
  });

  it("tells of a change by another process, and lets a process end that watches", async () => {
    const { location, database, dispose } = await fresh();
    const records = sqlRecords({ database });
    const told: string[] = [];
    records.watch(RECORD, (event) => void told.push(event));
    await records.write(RECORD, { value: "old" });
    await expect.poll(() => told).not.toEqual([]);
    told.length = 0;
    expect(await outcome(start(location, "watch"))).toEqual({ code: 0, output: "done\n" });
    await expect.poll(() => told).toContain("value");
    await records.close();
    await dispose();
  });

  it("shows nothing of an upload whose process was killed, and removes what it left", async () => {
    const { location, database, dispose } = await fresh();
    const skills = sqlRepository({ database });
    const { digest } = await skills.upload(skill("shared", { "data.txt": "old" }));
    const child = start(location, "stall", "new");
    const ended = outcome(child);
    await Promise.race([once(child.stdout ?? child, "data"), ended]);
    child.kill("SIGKILL");
    expect(await ended).toEqual({ code: null, output: "stalled\n" });
    expect((await skills.list()).skills.map((listed) => listed.digest)).toEqual([digest]);
    expect(await skills.versions("shared")).toHaveLength(1);
    const contents = async (): Promise<number> =>
      (await database.query("SELECT DISTINCT content FROM skillwright_chunk")).length;
    expect(await contents()).toBeGreaterThan(2);
    // A day must pass by default, because another upload may still be in progress.
    expect(await database.cleanUp()).toEqual({ contents: 0 });
    expect((await database.cleanUp({ olderThanMs: 0 })).contents).toBeGreaterThan(0);
    expect(await contents()).toBe(2);
    expect(await readText(await skills.open("shared", "data.txt"), 10)).toBe("old");
    await dispose();
  });
}

function start(location: string, work: string, name = ""): ChildProcess {
  const args = ["--disable-warning=ExperimentalWarning", PROGRAM, location, work, name];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

async function outcome(child: ChildProcess): Promise<{ code: unknown; output: string }> {
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, "close");
  return { code: child.exitCode, output };
}
