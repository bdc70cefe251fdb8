import { randomUUID } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunLimits } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { diskUsage } from "../src/limits/disk-usage.js";
import { localSubject } from "./local-subject.js";
import { ownDisk } from "./own-disk.js";
import { processesWith, runText } from "./running.js";

const MEBIBYTE = 1024 * 1024;

if (hasAll("bubblewrap", "supervisor"))
  describe("what a run can take of a disk", () => {
    test.each([
      ["medium files", "for i in $(seq 100); do head -c 4000000 /dev/zero > f$i; done"],
      [
        "sparse files that are filled",
        "for i in $(seq 30); do truncate -s 8M s$i; done; for i in $(seq 30); do dd if=/dev/zero of=s$i bs=1M count=8 conv=notrunc; done",
      ],
      [
        "removed files that are open",
        "for i in $(seq 30); do exec {f}>f$i; rm f$i; head -c 8000000 /dev/zero >&$f; done",
      ],
      ["several processes at once", "for i in $(seq 30); do head -c 8000000 /dev/zero > f$i & done; wait"],
    ])("RES-02: %s take at most twice the limit of the disk", async (_, text) => {
      const { workspace, tree } = await workspaceOnDisk();
      const limit = 64 * MEBIBYTE;
      const many = `cd work; for n in $(seq 20); do mkdir d$n; cd d$n; (${text}); cd ..; done; echo all`;
      const result = await runText(workspace, many, { limits: { diskBytes: limit } });
      expect([result.exitCode, result.stdout.text]).toEqual([137, ""]);
      expect(result.diagnostics.map(({ code }) => code)).toContain("limit.diskBytes-reached");
      // Of removed files only the measurement that ended the run knows.
      const [found] = result.diagnostics.flatMap(
        ({ message }) => /(\d+) bytes were found/.exec(message)?.[1] ?? [],
      );
      expect(Number(found)).toBeLessThanOrEqual(2 * limit);
      expect((await diskUsage([tree], {})).bytes).toBeLessThanOrEqual(2 * limit);
    });

    test("RES-02: at most twice the limit of files are created, also by several processes at once", async () => {
      const { workspace, tree } = await workspaceOnDisk();
      const files = "import os\nfor i in range(200000): os.close(os.open(f'{os.getpid()}.{i}', os.O_CREAT))";
      const text = `cd work; for i in 1 2 3; do python3 -c "${files}" & done; wait; echo all`;
      const inodes = 20_000;
      const result = await runText(workspace, text, { limits: { inodes } });
      expect([result.exitCode, result.stdout.text]).toEqual([137, ""]);
      expect((await diskUsage([tree], {})).inodes).toBeLessThanOrEqual(2 * inodes);
    });

    test.each<[string, RunLimits, string]>([
      ["diskBytes", { diskBytes: 64 * MEBIBYTE }, "head -c 4000000 /dev/zero > f$i"],
      ["inodes", { inodes: 2000 }, ": > f$i"],
    ])("RES-02: %s holds a run also while its host is too busy to measure", async (_, limits, write) => {
      const { workspace, tree } = await workspaceOnDisk();
      const mark = randomUUID();
      const handle = await workspace.start({
        ...{ runId: "r", cwd: "work", env: {}, timeoutMs: 120_000, maxOutputBytes: 1000, limits },
        command: `: ${mark}; for ((i=0;i<100000;i++)); do ${write}; done; echo all`,
      });
      const { diskBytes = Number.POSITIVE_INFINITY, inodes = Number.POSITIVE_INFINITY } = limits;
      const isAbove = ({ bytes, count }: { bytes: number; count: number }) =>
        bytes > 2 * diskBytes || count > 2 * inodes;
      // Nothing else of this process is done until one of these is so.
      while (!isAbove(filesIn(join(tree, "work"))) && !processesWith(mark).some(isStopped));
      expect(filesIn(join(tree, "work"))).not.toSatisfy(isAbove);
      const { exitCode, stdout } = await handle.result;
      expect([exitCode, stdout.text]).toEqual([137, ""]);
      expect(filesIn(join(tree, "work"))).not.toSatisfy(isAbove);
    });
  });

function filesIn(directory: string) {
  const names = readdirSync(directory);
  const blocks = names.reduce((sum, name) => sum + lstatSync(join(directory, name)).blocks, 0);
  return { bytes: blocks * 512, count: names.length };
}

function isStopped(pid: number): boolean {
  try {
    return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}

async function workspaceOnDisk() {
  const { runtime, root, dispose } = await localSubject("sandbox", ownDisk());
  onTestFinished(dispose);
  return { workspace: await runtime.create("w1"), tree: join(root, "w1/tree") };
}
