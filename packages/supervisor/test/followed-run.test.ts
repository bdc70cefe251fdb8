import type { Diagnostic } from "@skillwright/core";
import { expect, test } from "vitest";
import { outputLog, type RunRecord } from "../src/index.js";
import { cutFollower, type Follower } from "../src/stream/follow-record.js";
import { followedRun } from "../src/stream/followed-run.js";
import { receivedRecord } from "../src/stream/received-record.js";

const removed: Diagnostic = { code: "pod.removed", severity: "error", message: "Removed.", hint: "None." };
const BROKEN = "protocol 2\nchild 7\nbegun\nended signal 9\n";

test("a run whose supervisor ended with its container has ended, once the container's end is certain", async () => {
  const { exitCode, treeEnded, diagnostics } = await resultOf(BROKEN, removed);
  expect([exitCode, treeEnded, diagnostics]).toEqual([137, true, [removed]]);
});

test("the end of a run's tree is not claimed while its container may be there", async () => {
  const { exitCode, treeEnded } = await resultOf(BROKEN, undefined);
  expect([exitCode, treeEnded]).toEqual([137, false]);
});

test("a run that ended before its container keeps its outcome", async () => {
  const whole = BROKEN.replace("signal 9", "exit 3");
  const { exitCode, treeEnded, diagnostics } = await resultOf(`${whole}gone\n`, removed);
  expect([exitCode, treeEnded, diagnostics]).toEqual([3, true, []]);
});

test("a run whose record was never read has ended with its container", async () => {
  const { runId, exitCode, treeEnded, diagnostics } = await resultOf("", removed, cutFollower());
  expect([runId, exitCode, treeEnded, diagnostics]).toEqual(["one", 137, true, [removed]]);
});

test("a run that could not be reached at first is followed as soon as it can be", async () => {
  const { exitCode } = await resultOf(
    `${BROKEN.replace("signal 9", "exit 3")}gone\n`,
    undefined,
    cutFollower(),
  );
  expect(exitCode).toBe(3);
});

const record: RunRecord = {
  formatVersion: 1,
  isKept: false,
  runId: "one",
  maxOutputBytes: 1000,
  leaseMs: 60_000,
  isolation: { level: "container", by: "a test" },
  limits: {},
  diagnostics: [],
};

/** The result of a run whose record has ended with this report. */
async function resultOf(report: string, fate: Diagnostic | undefined, first = follower(report)) {
  return await followedRun({
    ...{ first, record, log: outputLog({ limit: record.maxOutputBytes }) },
    fate: async () => fate,
    again: async () => follower(report),
    reached: () => [],
    signal: undefined,
    closed: new AbortController().signal,
  }).result;
}

function follower(report: string): Follower {
  const received = receivedRecord({ onPiece: () => undefined });
  const file = (name: string, text: string) => `${name} ${Buffer.byteLength(text)}\n${text}`;
  received.take(Buffer.from(`${file("run.json", JSON.stringify(record))}${file("report", report)}over\n`));
  return {
    received,
    isCut: () => false,
    next: async () => undefined,
    tell: () => undefined,
    write: async () => undefined,
    endInput: () => undefined,
    close: () => undefined,
  };
}
