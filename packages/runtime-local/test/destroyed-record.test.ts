import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordedHandle } from "../src/recorded/recorded-handle.js";
import { writeRunRecord } from "../src/recorded/run-record.js";

test("a command that ended while its workspace was destroyed is no success without its output", async () => {
  const { directory, trash, handle } = endedRun();
  renameSync(directory, trash);
  rmSync(join(trash, "stdout.0"));
  const { exitCode, treeEnded, stdout, diagnostics } = await handle.result;
  expect([exitCode, treeEnded, stdout.text]).toEqual([137, true, ""]);
  expect(diagnostics).toMatchObject([{ code: "run.outcome-unknown" }]);
});

test("a command whose workspace is there has ended as its supervisor reported", async () => {
  const { exitCode, stdout, diagnostics } = await endedRun().handle.result;
  expect([exitCode, stdout.text, diagnostics]).toEqual([0, "said", []]);
});

/** A handle of a run that its supervisor has reported as ended, and of which nothing was read yet. */
function endedRun() {
  const root = mkdtempSync(join(tmpdir(), "destroyed-record-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, "attempt");
  mkdirSync(directory);
  writeRunRecord(directory, {
    ...{ formatVersion: 1, runId: "one", timeoutMs: 1000, maxOutputBytes: 1000, leaseMs: 60_000 },
    ...{ isolation: { level: "none", by: "a test" }, limits: {}, diagnostics: [] },
  });
  const report = ["protocol 2", "child 7", "begun", "ended exit 0", "took 1", "gone", ""].join("\n");
  writeFileSync(join(directory, "report"), report);
  const frame = Buffer.alloc(12);
  frame.writeUInt32LE(4, 8);
  writeFileSync(join(directory, "stdout.0"), Buffer.concat([frame, Buffer.from("said")]));
  const handle = recordedHandle(directory, { signal: undefined, closed: undefined });
  return { directory, trash: join(root, "trash"), handle };
}
