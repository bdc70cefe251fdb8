import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "@skillwright/core";
import { afterEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { threadTime } from "../../../test/timing/thread-time.js";
import { diskUsage } from "../src/limits/disk-usage.js";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { printed, runText } from "./running.js";

const MEBIBYTE = 1024 * 1024;
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function workspaceOf(isolation: "sandbox" | "none", below?: string) {
  const { runtime, dispose } = await localSubject(isolation, below);
  undo.push(dispose);
  return await runtime.create("w1");
}

if (hasAll("bubblewrap"))
  describe("the limit on a workspace's disk (sandbox)", () => {
    const limits = { diskBytes: 8 * MEBIBYTE };

    test("RES-02: many medium files end the run, and the result says why", async () => {
      const workspace = await workspaceOf("sandbox");
      const many =
        "cd work; for i in $(seq 2000); do head -c 1000000 /dev/zero > f$i; sleep 0.05; done; echo all";
      const result = await runText(workspace, many, { limits });
      expect([result.exitCode, result.timedOut, result.treeEnded, result.stdout.text]).toEqual([
        137,
        false,
        true,
        "",
      ]);
      expect(result.diagnostics).toMatchObject([
        { code: "limit.best-effort" },
        { code: "limit.diskBytes-reached" },
      ]);
      const held = (await workspace.list("work")).reduce((sum, { size }) => sum + size, 0);
      expect(held).toBeGreaterThan(7 * MEBIBYTE);
      expect(held).toBeLessThanOrEqual(16 * MEBIBYTE);
      await printed(workspace, "rm work/f*");
      expect((await runText(workspace, "sleep 0.3; echo fine", { limits })).stdout.text).toBe("fine\n");
    });

    test("RES-02: one file cannot exceed the limit, not even between two measurements", async () => {
      const workspace = await workspaceOf("sandbox");
      const { exitCode } = await runText(workspace, "head -c 50000000 /dev/zero > work/big", { limits });
      expect(exitCode).not.toBe(0);
      expect(
        (await workspace.list("work")).find(({ path }) => path === "work/big")?.size,
      ).toBeLessThanOrEqual(8 * MEBIBYTE);
    });

    test("RES-07: a workspace above its limit starts no run until it is below, and the error names what takes most", async () => {
      const workspace = await workspaceOf("sandbox");
      const reached = ({ code }: { code: string }) => code === "limit.diskBytes-reached";
      const fill =
        "cd work; for i in 1 2 3; do head -c 4000000 /dev/zero > f$i; done; mkdir d; head -c 4200000 /dev/zero > d/f; sleep 9";
      expect((await runText(workspace, fill, { limits })).diagnostics.filter(reached)).toHaveLength(1);
      const refused = {
        code: "LIMIT_EXCEEDED",
        message: expect.stringMatching(
          /^The workspace w1 holds \d+ bytes, and its limit diskBytes allows 8388608, so the command was not started\. Most of it is in work\//,
        ),
        details: { workspaceId: "w1", limit: "diskBytes", allowed: 8 * MEBIBYTE },
      };
      await expect(runText(workspace, "true", { limits })).rejects.toMatchObject(refused);
      await expect(runText(workspace, "true", { limits, runId: "k", keep: true })).rejects.toMatchObject(
        refused,
      );
      expect(await workspace.remove?.("work/f1")).toBe(true);
      expect(await workspace.remove?.("work/f2")).toBe(true);
      expect((await runText(workspace, "echo on", { limits, runId: "k", keep: true })).stdout.text).toBe(
        "on\n",
      );
      await workspace.put([{ path: "work/put", content: Buffer.alloc(9 * MEBIBYTE, 1) }]);
      await expect(runText(workspace, "true", { limits })).rejects.toMatchObject(refused);
      const remove = await runText(workspace, "rm -r work/*");
      expect([remove.exitCode, remove.diagnostics.filter(reached)]).toEqual([0, []]);
      expect((await runText(workspace, "true", { limits })).diagnostics.filter(reached)).toEqual([]);
    });

    test("many short runs that each write a little meet the limit", async () => {
      const workspace = await workspaceOf("sandbox");
      let told: readonly string[] = [];
      for (let index = 0; index < 40 && !told.includes("limit.diskBytes-reached"); index++) {
        const { diagnostics } = await runText(workspace, `head -c 1000000 /dev/zero > work/f${index}`, {
          limits,
        });
        told = diagnostics.map(({ code }) => code);
      }
      expect(told).toContain("limit.diskBytes-reached");
    });

    test("RES-02: unlinked files count while they are open", async () => {
      const workspace = await workspaceOf("sandbox");
      const hidden =
        "cd work; for i in 1 2 3 4; do exec {f}>f$i; rm f$i; head -c 5000000 /dev/zero >&$f; done; sleep 60; echo all";
      const { exitCode, timedOut, stdout, diagnostics } = await runText(workspace, hidden, { limits });
      expect([exitCode, timedOut, stdout.text]).toEqual([137, false, ""]);
      expect(diagnostics.map(({ code }) => code)).toEqual(["limit.best-effort", "limit.diskBytes-reached"]);
    });

    test("RES-02: space cannot be reserved, faster than it can be measured; a program writes instead", async () => {
      // Files here survive a restart of the machine, so that they are on a disk.
      const workspace = await workspaceOf("sandbox", "/var/tmp");
      const reserve = "import os; os.posix_fallocate(os.open('g', os.O_RDWR | os.O_CREAT), 0, 1000000)";
      const text = `cd work; touch f; fallocate --keep-size --length 60M f || echo refused; python3 -c "${reserve}"; stat -c %s f g`;
      const { stdout, diagnostics } = await runText(workspace, text, { limits });
      expect(stdout.text).toBe("refused\n0\n1000000\n");
      expect(diagnostics.map(({ code }) => code)).toEqual(["limit.best-effort"]);
    });

    test("RES-02: a tree too deep to be measured counts as exceeding the limit", async () => {
      const workspace = await workspaceOf("sandbox");
      const deep = "cd work; for i in $(seq 70); do mkdir d && cd d; done; sleep 60; echo all";
      const { exitCode, diagnostics } = await runText(workspace, deep, { limits });
      expect(exitCode).toBe(137);
      expect(diagnostics.map(({ code }) => code)).toEqual(["limit.best-effort", "limit.diskBytes-reached"]);
    });

    test("files in /tmp have their own limit and do not count", async () => {
      const workspace = await workspaceOf("sandbox");
      const text = "for i in 1 2 3 4; do head -c 5000000 /dev/zero > /tmp/$i; done; sleep 0.4; echo fine";
      expect((await runText(workspace, text, { limits })).stdout.text).toBe("fine\n");
    });
  });

test("RES-02: without isolation the limit is refused, and with best effort it is watched", async () => {
  const workspace = await workspaceOf("none");
  const limits = { diskBytes: 8 * MEBIBYTE };
  await expect(runText(workspace, "true", { limits })).rejects.toMatchObject({ code: "UNSUPPORTED" });
  const many = "for i in $(seq 2000); do head -c 1000000 /dev/zero > work/f$i; sleep 0.05; done; echo all";
  const { exitCode, stdout, diagnostics } = await runText(workspace, many, { limits, bestEffort: true });
  expect([exitCode, stdout.text]).toEqual([137, ""]);
  const codes = diagnostics.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["limit.watched", "limit.diskBytes-reached"]));
});

describe("disk usage of a tree", () => {
  test("blocks are counted, each file once; links are not followed, and holes do not count", async () => {
    const { path, remove } = await temporaryDirectory();
    undo.push(remove);
    const empty = await diskUsage([path], {});
    writeFileSync(join(path, "a"), Buffer.alloc(MEBIBYTE, 1));
    linkSync(join(path, "a"), join(path, "second-name"));
    writeFileSync(join(path, "sparse"), "");
    truncateSync(join(path, "sparse"), 2 ** 40);
    mkdirSync(join(path, "d"));
    symlinkSync("/", join(path, "d/link"));
    const held = await diskUsage([path], {});
    expect(held.bytes - empty.bytes).toBeGreaterThanOrEqual(MEBIBYTE);
    expect(held.bytes - empty.bytes).toBeLessThan(MEBIBYTE + 64 * 1024);
    // The file with two hard links, the sparse one, the directory and the link.
    expect(held.inodes - empty.inodes).toBe(4);
  });

  /** A directory with `depth` others below it, each in the one before. */
  async function nested(depth: number): Promise<string> {
    const { path, remove } = await temporaryDirectory();
    undo.push(remove);
    mkdirSync(join(path, "d/".repeat(depth)), { recursive: true });
    return path;
  }

  test("63 levels of directories are measured, and one more is too many unless that is accepted", async () => {
    const [deep, deeper] = [await nested(63), await nested(64)];
    expect(await diskUsage([deep], {})).toMatchObject({ bytes: expect.any(Number), inodes: 64 });
    expect(Number.isFinite((await diskUsage([deep], {})).bytes)).toBe(true);
    expect((await diskUsage([deeper], {})).bytes).toBe(Number.POSITIVE_INFINITY);
    expect(Number.isFinite((await diskUsage([deeper], {}, { isLenient: true })).bytes)).toBe(true);
  });

  test("several directories count together, and one that is missing counts as nothing", async () => {
    const [one, other] = [await nested(1), await nested(2)];
    expect((await diskUsage([one, join(one, "missing"), other], {})).inodes).toBe(5);
  });

  test("a full file is one of that size or more that was changed since, in any directory", async () => {
    const path = await nested(1);
    writeFileSync(join(path, "d/a"), "12345");
    const hasFull = async (bytes: number, sinceMs: number) =>
      (await diskUsage([path], {}, { full: { bytes, sinceMs } })).hasFullFile;
    expect(await hasFull(5, 0)).toBe(true);
    expect(await hasFull(6, 0)).toBe(false);
    expect(await hasFull(5, Number.POSITIVE_INFINITY)).toBe(false);
    expect((await diskUsage([path], {})).hasFullFile).toBe(false);
    const empty = await nested(1);
    expect((await diskUsage([empty], {}, { full: { bytes: 0, sinceMs: 0 } })).hasFullFile).toBe(false);
  });

  test("measuring ends where a limit is exceeded", async () => {
    const path = await nested(40);
    expect((await diskUsage([path], { inodes: 10 })).inodes).toBe(11);
    expect((await diskUsage([path], { bytes: -1 })).inodes).toBe(1);
  });

  test("ten thousand entries are measured while other work continues", async () => {
    const { path, remove } = await temporaryDirectory();
    undo.push(remove);
    for (let index = 0; index < 10_000; index++) writeFileSync(join(path, String(index)), "");
    let longest = 0;
    let last = threadTime();
    const timer = setInterval(() => {
      longest = Math.max(longest, threadTime() - last);
      last = threadTime();
    }, 1);
    await diskUsage([path], {});
    clearInterval(timer);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(100);
  });
});

if (hasAll("bubblewrap"))
  test("RES-05: a compressed file is returned as it is and not unpacked", async () => {
    const workspace = await workspaceOf("sandbox");
    await printed(workspace, "head -c 100000000 /dev/zero | gzip -1 > out/z.gz");
    const [file] = await workspace.list("out");
    const bytes = await readBytes(await workspace.get("out/z.gz"), MEBIBYTE);
    expect(bytes.byteLength).toBe(file?.size);
    expect([...bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });
