import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { StoredTurn } from "@skillwright/core/adapter";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { fsTurns } from "../src/index.js";
import { temporaryDirectory } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

const key = { scope: { app: "a", user: "u", session: "s" }, turn: "t", holder: "h" };
const turn: StoredTurn = {
  ...{ formatVersion: 1, ...key, startedAt: "2026-01-02T03:04:05.678Z", state: "active" },
  ...{ stopRequested: false, stamp: "1", token: 1, untilMs: 0 },
};
const all = { limit: 1000 };

async function fileNamed(end: string): Promise<string> {
  const names = await readdir(root, { recursive: true });
  return join(root, names.find((name) => name.endsWith(end)) ?? "none");
}

const logFile = () => fileNamed(".jsonl");

describe("turns in a directory", () => {
  test("the part of an event that a killed process wrote is not read, and the next one replaces it", async () => {
    const turns = fsTurns({ root });
    await turns.put(turn, undefined);
    await turns.append(key, "events", ["first"]);
    await appendFile(await logFile(), '"cut o');
    expect(await turns.read(key, "events", 0, all)).toEqual(["first"]);
    expect(await fsTurns({ root }).append(key, "events", ["second"])).toBe(2);
    expect(await turns.append(key, "events", ["third"])).toBe(3);
    expect(await readFile(await logFile(), "utf8")).toBe('"first"\n"second"\n"third"\n');
    expect(await turns.read(key, "events", 1, all)).toEqual(["second", "third"]);
  });

  test("events longer than what is read at once are read whole", async () => {
    const turns = fsTurns({ root });
    await turns.put(turn, undefined);
    const long = ["ä".repeat(200_000), "short", "x".repeat(70_000)];
    await turns.append(key, "events", long);
    expect(await turns.read(key, "events", 0, all)).toEqual(long);
    expect(await turns.read(key, "events", 2, all)).toEqual(long.slice(2));
    expect(await turns.read(key, "events", 1, all)).toEqual(long.slice(1));
  });

  test("belong to this user only", async () => {
    const turns = fsTurns({ root: join(root, "turns") });
    await turns.put(turn, undefined);
    await turns.append(key, "events", ["secret"]);
    const names = await readdir(root, { recursive: true, withFileTypes: true });
    for (const one of names)
      expect((await stat(join(one.parentPath, one.name))).mode & 0o077, one.name).toBe(0);
  });

  if (hasAll("packages/repository-fs/dist"))
    test("a turn lapses when the process that holds it ends, whoever changed it since", async () => {
      const held = { ...turn, untilMs: Date.now() + 3_600_000 };
      const { child, ended } = otherProcess(`
        await turns.put(${JSON.stringify(held)}, undefined);
        console.log("put"); setInterval(() => {}, 1000);`);
      await Promise.race([once(child.stdout, "data"), ended]);
      const turns = fsTurns({ root });
      expect(await turns.put({ ...held, stamp: "2", stopRequested: true }, "1")).toBe(true);
      expect(await turns.lapsed("a")).toEqual([]);
      expect((await turns.get(key.scope)).stored?.untilMs).toBe(held.untilMs);
      child.kill("SIGKILL");
      await ended;
      expect(await turns.lapsed("a")).toMatchObject([{ turn: "t", stopRequested: true, untilMs: 0 }]);
      expect((await turns.get(key.scope)).stored?.untilMs).toBe(0);
    });

  if (hasAll("packages/repository-fs/dist"))
    test("a process that only waits for a change of a turn lives until the change", async () => {
      const turns = fsTurns({ root });
      await turns.put(turn, undefined);
      const { child, ended } = otherProcess(`
        const waiter = turns.waiter(${JSON.stringify(key.scope)});
        waiter.look();
        setTimeout(() => console.log("waits"), 50);
        await waiter.wait();
        waiter.done();
        process.exitCode = 7;`);
      await Promise.race([once(child.stdout, "data"), ended]);
      await turns.append(key, "events", ["told"]);
      expect(await ended).toEqual([7, null]);
    });

  test("a wait that its caller has given up leaves no timer that would keep the process alive", async () => {
    const turns = fsTurns({ root });
    await turns.put(turn, undefined);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const waiter = turns.waiter?.(key.scope);
    waiter?.look();
    void waiter?.wait();
    const whileWaiting = timers();
    waiter?.done();
    // The wait settles while this reads the file.
    await turns.get(key.scope);
    expect([whileWaiting, timers()]).toEqual([before + 1, before]);
  });

  test("a record that this release cannot read is an error", async () => {
    const turns = fsTurns({ root });
    await turns.put(turn, undefined);
    await appendFile(await fileNamed("turn.json"), "{");
    await expect(turns.get(key.scope)).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });
});

/** Starts another process that runs this text. Its variable `turns` is a store of the same directory. */
function otherProcess(text: string) {
  const module = JSON.stringify(new URL("../dist/index.js", import.meta.url).href);
  const start = `const { fsTurns } = await import(${module}); const turns = fsTurns({ root: ${JSON.stringify(root)} });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", `${start}${text}`]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: once(child, "close") };
}
