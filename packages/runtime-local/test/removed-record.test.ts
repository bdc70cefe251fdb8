import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { recordedHandle } from "../src/recorded/recorded-handle.js";

if (hasAll("supervisor"))
  test("the outcome of a run is known where its workspace was destroyed before it was looked at", async () => {
    const root = mkdtempSync(join(tmpdir(), "skillwright-test-"));
    const directory = join(root, "attempt");
    mkdirSync(directory);
    const isolation = { level: "none", by: "a test" } as const;
    const record = {
      formatVersion: 1,
      runId: "run",
      timeoutMs: 60_000,
      maxOutputBytes: 100,
      leaseMs: 60_000,
    };
    writeFileSync(join(directory, "run.json"), JSON.stringify({ ...record, isolation, diagnostics: [] }));
    writeFileSync(
      join(directory, "report"),
      "protocol 2\nchild 7\nbegun\nasked end\nended signal 9\ntook 5\n",
    );
    writeFileSync(join(directory, "stdout.0"), "");
    execFileSync("mkfifo", [join(directory, "control")]);
    // It reads the control pipe in place of a supervisor.
    const reader = spawn("sh", [
      "-c",
      'exec 3<>"$1"; echo ready; exec sleep 1000',
      "sh",
      join(directory, "control"),
    ]);
    await once(reader.stdout, "data");
    const handle = recordedHandle(directory, { signal: undefined, closed: new AbortController().signal });
    // All of it happens before the handle looks again.
    renameSync(directory, join(root, "trash"));
    writeFileSync(join(root, "trash/report"), "took 5\ngone\n", { flag: "a" });
    rmSync(root, { recursive: true });
    reader.kill();
    const { exitCode, treeEnded, stdout } = await handle.result;
    expect([exitCode, treeEnded, stdout.text]).toEqual([137, true, ""]);
  });
