import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CallOptions, RunResult } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  type RunCommand,
  type RunHandle,
  secretMasking,
} from "@skillwright/core/adapter";
import { outputLog, runExists } from "@skillwright/supervisor";
import { diskWatch } from "../limits/disk-watch.js";
import { fileLimitReached } from "../limits/file-limit.js";
import { roomAtStart, watchedDisk } from "../limits/watched-disk.js";
import {
  claimedAttempt,
  freePlace,
  newAttempt,
  releaseClaim,
  removeAttempt,
} from "../recorded/record-place.js";
import { takesNoInput } from "../recorded/recorded-handle.js";
import { runOf } from "../recorded/run-of.js";
import { writeRunRecord } from "../recorded/run-record.js";
import { storeInput } from "../recorded/stored-input.js";
import { claimUnsupervised, noteChild, recordEnd } from "../recorded/unsupervised-record.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";
import { type ChildCommand, childCommand } from "./child-command.js";
import { launchRequest } from "./launch-request.js";
import { endRun } from "./live-runs.js";
import { type RunCopies, runCopies } from "./run-copies.js";
import { runHandle } from "./run-handle.js";
import type { RunMeans, RunPlace } from "./run-means.js";

/**
 * Starts a run where there is no supervisor: this process itself ends it, with all that is left of it, and records its end. If it
 * is killed before, nobody knows the end.
 */
export async function startUnsupervised(
  place: RunPlace,
  command: RunCommand,
  { means, record, signal }: CallOptions & { means: RunMeans; record: LocalWorkspaceRecord },
): Promise<RunHandle> {
  checkAborted(signal);
  checkCommand(command);
  const { runId, keep: isKept = false, stdin } = command;
  const known = () => (isKept ? runOf(place, runId, { signal, closed: means.closed }) : undefined);
  const home = freePlace(place.paths, command);
  const begun = known();
  if (begun) return begun;
  const masking = secretMasking(command.env);
  const live = means.live.starting(place.id);
  let copies: RunCopies | undefined;
  let attempt: string | undefined;
  let handle: RunHandle | undefined;
  try {
    const { isolation, prlimit, sandbox } = means.inForce;
    if (means.skillCopies === "run")
      copies = await runCopies(place.paths, runId, { record, owner: sandbox?.credentials, signal });
    const { request, diagnostics } = launchRequest(place, command, { means, record, copies });
    const disk = watchedDisk(place, request.limits, copies);
    if (disk.isWatched) await roomAtStart(disk);
    const startedMs = performance.now();
    const startedAt = Date.now();
    const { file } = request.limits;
    const reachedBy = async (exitCode: number) =>
      file ? await fileLimitReached(exitCode, file, { directories: disk.directories, startedAt }) : [];
    const told = [...diagnostics, ...masking.diagnostics];
    attempt = newAttempt(home);
    const { timeoutMs, maxOutputBytes } = command;
    const { inForce: limits } = request.limits;
    writeRunRecord(attempt, {
      ...{ formatVersion: 1, runId, timeoutMs, maxOutputBytes, leaseMs: means.leaseMs, isolation, limits },
      diagnostics: told.map(masking.diagnostic),
    });
    if (isKept) await storeInput(attempt, command, signal);
    if (!claimUnsupervised(attempt)) {
      const other = known();
      if (other) return other;
      throw runExists(runId);
    }
    const log = outputLog({ limit: maxOutputBytes, masking });
    const child = await childCommand(request, { prlimit, onOutput: log.append });
    handle = await orEnded(child, () => {
      const watch = (onExceeded: () => void) =>
        disk.isWatched ? diskWatch({ ...disk, inside: async () => undefined, onExceeded }) : undefined;
      const options = {
        startedMs,
        signal,
        isolation,
        limits,
        diagnostics: told,
        masking,
        log,
        watch,
        reachedBy,
      };
      return runHandle(child, command, options);
    });
    const { write, endInput } = handle;
    handle = recorded(handle, { attempt, isKept, copies });
    live.started(handle, { path: join(place.paths.live, runId), pid: child.pid });
    noteChild(attempt, child.pid);
    await endIfGone(place, handle);
    if (isKept && stdin !== undefined) void feed({ write, endInput }, `${attempt}/input`);
    return handle;
  } catch (error) {
    throw masking.error(error);
  } finally {
    if (!handle) {
      live.release();
      await copies?.remove();
      if (attempt !== undefined) {
        if (claimedAttempt(home) === attempt) releaseClaim(attempt);
        removeAttempt(attempt);
      }
    }
  }
}

/** A command that was started, but whose caller gets an error, is ended: nobody else would end it. */
async function orEnded(child: ChildCommand, handled: () => RunHandle): Promise<RunHandle> {
  try {
    return handled();
  } catch (error) {
    child.kill();
    await child.ended;
    throw error;
  }
}

/** The result is available when it is recorded, or the record of a run that nobody keeps is removed. */
function recorded(
  handle: RunHandle,
  {
    attempt,
    isKept,
    copies,
  }: { readonly attempt: string; readonly isKept: boolean; readonly copies: RunCopies | undefined },
): RunHandle {
  async function over(): Promise<RunResult> {
    try {
      const result = await handle.result;
      if (isKept) recordEnd(attempt, result);
      return result;
    } finally {
      await copies?.remove();
      if (!isKept) {
        releaseClaim(attempt);
        removeAttempt(attempt);
      }
    }
  }
  const result = over();
  // The caller may not have started to wait for it yet.
  result.catch(() => undefined);
  return isKept ? { ...handle, ...takesNoInput, result } : { ...handle, result };
}

/** Closing the runtime or destroying the workspace during the start ended only the runs that were started before. */
async function endIfGone({ record }: RunPlace, handle: RunHandle): Promise<void> {
  try {
    record();
  } catch (error) {
    await endRun(handle);
    throw error;
  }
}

/** Where the command ends first, the rest is discarded. */
async function feed(handle: Pick<RunHandle, "write" | "endInput">, path: string): Promise<void> {
  try {
    for await (const piece of createReadStream(path)) await handle.write(piece);
  } catch {
    // It reads no more, or its workspace was destroyed.
  } finally {
    await rm(path, { force: true });
    await handle.endInput();
  }
}
