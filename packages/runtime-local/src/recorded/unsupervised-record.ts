import { lstatSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { RunOutput, RunResult } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { outcomeUnknown } from "@skillwright/supervisor";
import { processExists, processIdentity } from "../host/process-identity.js";
import { directoryChanges } from "./directory-changes.js";
import { CLAIM } from "./record-place.js";
import { left, type RecordedHandleOptions, takesNoInput } from "./recorded-handle.js";
import { readRunRecord, writeWhole } from "./run-record.js";

const KILLED = 137;

/**
 * Makes the attempt the one whose command runs, and this process its host: where no supervisor runs, only the host sees how the
 * command ends. `false` where another attempt is that already.
 */
export function claimUnsupervised(attempt: string): boolean {
  const { pid } = process;
  symlinkSync(`${pid} ${processIdentity(pid)?.startTime ?? ""}`, `${attempt}/host`);
  try {
    symlinkSync(basename(attempt), `${dirname(attempt)}/${CLAIM}`);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Notes the leader of the command's process group. The workspace may have been destroyed meanwhile. */
export function noteChild(attempt: string, pid: number): void {
  try {
    symlinkSync(String(pid), `${attempt}/child`);
  } catch {
    // A workspace that was destroyed meanwhile has ended its runs.
  }
}

/** A full disk or a workspace that is being destroyed may prevent it; the outcome is then unknown to others. */
export function recordEnd(attempt: string, result: RunResult): void {
  writeWhole(attempt, "ended.json", result);
}

export function isUnsupervised(attempt: string): boolean {
  return lstatSync(`${attempt}/host`, { throwIfNoEntry: false }) !== undefined;
}

/** A handle of the run that another call has started: of its record once it has ended, without its output until then. */
export function unsupervisedHandle(
  attempt: string,
  { signal, closed }: Pick<RecordedHandleOptions, "signal" | "closed">,
): RunHandle {
  const record = readRunRecord(attempt);
  const changes = directoryChanges(attempt, (name) => name === "ended.json");

  async function untilOver(): Promise<RunResult> {
    for (;;) {
      const isAlive = isHostAlive(attempt);
      const ended = endIn(attempt);
      if (ended) return ended;
      if (!isAlive) return unknownEnd();
      if (closed?.aborted) throw left();
      await changes.next();
    }
  }

  function unknownEnd(): RunResult {
    const { runId, isolation, limits, diagnostics } = record;
    const empty = { text: "", totalBytes: 0, truncated: false };
    return {
      ...{ runId, isolation, limits, exitCode: KILLED, timedOut: false, aborted: false, durationMs: 0 },
      ...{ stdout: empty, stderr: empty, treeEnded: false },
      diagnostics: [...diagnostics, outcomeUnknown(false)],
    };
  }

  const end = () => void signalChild(attempt, "SIGKILL");
  const result = untilOver().finally(() => {
    changes.close();
    signal?.removeEventListener("abort", end);
    closed?.removeEventListener("abort", changes.close);
  });
  // The caller may not have started to wait for it yet.
  result.catch(() => undefined);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  closed?.addEventListener("abort", changes.close, { once: true });
  return {
    runId: record.runId,
    output: ({ from = 0 } = {}) => capturedPieces(result, from),
    ...takesNoInput,
    signal: async (name) => void signalChild(attempt, name),
    result,
  };
}

async function* capturedPieces(result: Promise<RunResult>, from: number): AsyncIterable<RunOutput> {
  // Its failure is thrown to whoever waits for the result.
  const ended = await result.catch(() => undefined);
  let offset = 0;
  for (const stream of ["stdout", "stderr"] as const) {
    const all = Buffer.from(ended?.[stream].text ?? "");
    const bytes = all.subarray(Math.min(all.byteLength, Math.max(0, from - offset)));
    const at = offset + all.byteLength - bytes.byteLength;
    offset += all.byteLength;
    if (bytes.byteLength > 0) yield { stream, offset: at, bytes };
  }
}

function endIn(attempt: string): RunResult | undefined {
  try {
    return JSON.parse(readFileSync(`${attempt}/ended.json`, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isHostAlive(attempt: string): boolean {
  const [pid, startTime] = linkIn(attempt, "host").split(" ");
  const there = processIdentity(Number(pid));
  // Elsewhere than on Linux, a process that got the same id cannot be told from it.
  return there ? there.startTime === startTime : process.platform !== "linux" && processExists(Number(pid));
}

/** While its host lives and has not recorded the end, the process group is that of the run. */
function signalChild(attempt: string, name: NodeJS.Signals): void {
  const pid = Number(linkIn(attempt, "child"));
  if (!(pid > 1) || !isHostAlive(attempt) || endIn(attempt)) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has just ended.
  }
}

/** Empty where there is none, or the workspace was destroyed. */
function linkIn(attempt: string, name: string): string {
  try {
    return readlinkSync(`${attempt}/${name}`);
  } catch {
    return "";
  }
}
