import { type Diagnostic, SkillError } from "@skillwright/core";
import type { RunStream } from "@skillwright/supervisor";
import { expect, test } from "vitest";
import { startRun } from "../src/run/start-run.js";

const removed: Diagnostic = { code: "pod.removed", severity: "error", message: "Removed.", hint: "None." };

test("KUBE-97: a command whose pod ends before its record was read is reported as ended with the pod", async () => {
  const handle = await startRun(fakeStreams(), command, {
    fate: async () => removed,
    means: {
      ...{ isolation: { level: "container", by: "a test" }, networkOff: true, ofShell: [], leaseMs: 60_000 },
      closed: new AbortController().signal,
    },
  });
  const { runId, exitCode, treeEnded, diagnostics } = await handle.result;
  expect([runId, exitCode, treeEnded, diagnostics]).toEqual(["one", 137, true, [removed]]);
});

const command = {
  ...{ runId: "one", command: "exit 3", key: "key", cwd: ".", env: {} },
  ...{ timeoutMs: 60_000, maxOutputBytes: 1000 },
};

/** A fake of a recorder: it says that the run was started, and cannot be reached any more. */
function fakeStreams() {
  const start: RunStream["start"] = ({ onBytes }) => {
    const ended = Promise.resolve().then(() => {
      onBytes(1, Buffer.from("started\n"));
      return undefined;
    });
    return { write: async () => undefined, end: () => undefined, ended };
  };
  let opened = 0;
  const open = async () => {
    if (++opened === 1) return { start, isOpen: () => false } as RunStream;
    throw new SkillError("BACKEND_FAILED", "The recorder does not answer.");
  };
  return { open, close: () => undefined };
}
