import { spawnSync } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type Filter, filterRows, matchingArguments } from "./filter-rows.js";
import { ownProgram } from "./supervised.js";

const { ENOSYS } = constants.errno;
const makeCalls = fileURLToPath(new URL("make-calls.py", import.meta.url));
const architecture = process.arch === "arm64" ? "arm64" : "x64";

if (hasAll("supervisor", "python3"))
  describe.each(["online", "offline"] as const)("a program under the filter, %s,", (filter) => {
    const rows = filterRows.filter((row) => row.filter === "BOTH" || row.filter === filter.toUpperCase());

    test("gets the table's error from the kernel for each refused call", () => {
      const refused = rows.filter(({ answer }) => answer !== 0);
      const calls = refused.map((row) => [row.numbers[architecture], ...matchingArguments(row)]);
      expect(refused.length).toBeGreaterThan(40);
      const errors = made(filter, JSON.stringify(calls)) as number[];
      expect(errors.map((error, index) => [refused[index]?.name, error])).toEqual(
        refused.map(({ name, answer }) => [name, answer]),
      );
    });

    test("gets ENOSYS for a call that is newer than the filter", () => {
      expect(made(filter, JSON.stringify([[471], [0x40000000 + 39], [-2]]))).toEqual([
        ENOSYS,
        ENOSYS,
        ENOSYS,
      ]);
    });

    test("can use threads, processes, its own limits and priority, and signals to itself", () => {
      const script = [
        "import os, resource, signal, socket, subprocess, threading",
        "thread = threading.Thread(target=lambda: None); thread.start(); thread.join()",
        "subprocess.run(['/bin/true'], check=True)",
        "resource.prlimit(os.getpid(), resource.RLIMIT_CORE, (0, 0)); os.nice(1)",
        "os.setpriority(os.PRIO_PROCESS, 0, 19); os.sched_setaffinity(0, os.sched_getaffinity(0))",
        "os.kill(os.getpid(), 0); os.kill(os.getppid(), 0)",
        "[socket.socket(family).close() for family in (socket.AF_UNIX, socket.AF_INET)]",
        "print('done')",
      ];
      const { stdout, stderr } = underFilter(filter, ["python3", "-c", script.join("\n")]);
      expect([stdout, stderr]).toEqual(["done\n", ""]);
    });
  });

/** Calls with `int 0x80`; a kernel without that ABI kills the process, with or without a filter. */
if (process.arch === "x64" && hasAll("supervisor", "python3"))
  test("a program under the filter gets ENOSYS for calls of the 32-bit ABI", () => {
    const getpid = "20";
    const bare = spawnSync("python3", [makeCalls, "i386", getpid], { encoding: "utf8" });
    const filtered = underFilter("online", ["python3", makeCalls, "i386", getpid]);
    if (bare.signal === null)
      expect([bare.stdout.trim(), filtered.stdout.trim()]).toEqual(["0", String(ENOSYS)]);
    else expect(filtered.signal).toBe(bare.signal);
  });

function made(filter: Filter, calls: string): unknown {
  const { stdout, stderr } = underFilter(filter, ["python3", makeCalls, calls]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

function underFilter(filter: Filter, [name = "", ...args]: string[]) {
  const path = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  return spawnSync(ownProgram, ["filter", "--filter", filter, "--", path, ...args], { encoding: "utf8" });
}
