import { type Diagnostic, SkillError } from "@skillwright/core";
import type { RunStream } from "@skillwright/supervisor";
import { expect, test } from "vitest";
import { startKeyed } from "../src/keyed/start-keyed.js";

const removed: Diagnostic = { code: "pod.removed", severity: "error", message: "Removed.", hint: "None." };

test("KUBE-97: a command whose pod ends before its record was read is reported as ended with the pod", async () => {
  const handle = await startKeyed(fakeStreams(), command, {
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

/** A fake of a recorder: it knows no run of the key, says that one was started, and cannot be reached any more. */
function fakeStreams() {
  const answers: Record<string, string> = { follow: "none\n", run: "started\n" };
  const start: RunStream["start"] = ({ arguments: [name = ""], onBytes }) => {
    const ended = Promise.resolve().then(() => {
      onBytes(1, Buffer.from(answers[name] ?? ""));
      return undefined;
    });
    return { write: async () => undefined, end: () => undefined, ended };
  };
  let opened = 0;
  const open = async () => {
    if (++opened <= 2) return { start } as RunStream;
    throw new SkillError("BACKEND_FAILED", "The recorder does not answer.");
  };
  return { open, close: () => undefined };
}
