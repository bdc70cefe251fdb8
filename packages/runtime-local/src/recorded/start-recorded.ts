import { existsSync, writeFileSync } from "node:fs";
import { type CallOptions, SkillError } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  type RunCommand,
  type RunHandle,
  secretMasking,
} from "@skillwright/core/adapter";
import { endOf, runExists } from "@skillwright/supervisor";
import type { ControlGroup } from "../limits/control-groups.js";
import { roomAtStart, watchedDisk } from "../limits/watched-disk.js";
import { launchRequest } from "../run/launch-request.js";
import { type RunCopies, runCopies } from "../run/run-copies.js";
import type { RunMeans, RunPlace } from "../run/run-means.js";
import { supervisedCommand } from "../run/supervised-command.js";
import type { OwnServer } from "../served/own-server.js";
import type { LocalWorkspaceRecord } from "../storage/workspace-record.js";
import { knownLate } from "./known-late.js";
import { launchRecorded, type RecordedLaunch } from "./launch-recorded.js";
import { claimedAttempt, freePlace, newAttempt, removeAttempt, removeLeft } from "./record-place.js";
import { recordedHandle } from "./recorded-handle.js";
import { runOf } from "./run-of.js";
import { type RunRecord, writeRunRecord } from "./run-record.js";
import { storeInput } from "./stored-input.js";

type Call = CallOptions & {
  readonly means: RunMeans & { readonly server: OwnServer };
  /** The record of the workspace, as it was read for the call. */
  readonly record: LocalWorkspaceRecord;
};

/** Starts a run that its supervisor records. The caller has just checked that the workspace exists. */
export async function startRecorded(place: RunPlace, command: RunCommand, call: Call): Promise<RunHandle> {
  const { means, record: current, signal } = call;
  checkAborted(signal);
  checkCommand(command);
  const { runId, keep: isKept = false, endsWithHost = false } = command;
  if (!isKept) removeLeft(place.paths, means.leaseMs);
  const home = freePlace(place.paths, command);
  if (claimedAttempt(home)) return known(place, command, call);
  const masking = secretMasking(command.env);
  const live = means.live.starting(place.id);
  let copies: RunCopies | undefined;
  let attempt: string | undefined;
  let group: ControlGroup | undefined;
  let handle: RunHandle | undefined;
  try {
    const { sandbox, isolation } = means.inForce;
    if (means.skillCopies === "run")
      copies = await runCopies(place.paths, runId, { record: current, owner: sandbox?.credentials, signal });
    const { request, diagnostics } = launchRequest(place, command, { means, record: current, copies });
    const disk = watchedDisk(place, request.limits, copies);
    const room = disk.isWatched ? await roomAtStart(disk) : undefined;
    attempt = newAttempt(home);
    const { timeoutMs, maxOutputBytes, liveOutputBytes } = command;
    const told = [...diagnostics, ...masking.diagnostics].map(masking.diagnostic);
    const amounts = { timeoutMs, maxOutputBytes, liveOutputBytes, leaseMs: means.leaseMs };
    const { inForce: limits } = request.limits;
    const record: RunRecord = { formatVersion: 1, runId, ...amounts, isolation, limits, diagnostics: told };
    writeRunRecord(attempt, record);
    writeFileSync(`${attempt}/lease`, "");
    if (isKept) await storeInput(attempt, command, signal);
    const { group: together } = request.limits;
    if (sandbox && Object.keys(together).length > 0) group = await means.limits.groups?.open(together);
    const hasInput = request.input && !isKept;
    const launched = await launchRecorded(
      {
        ...supervisedCommand(request, sandbox, group),
        directory: attempt,
        leaseMs: means.leaseMs,
        outputBytes: Math.max(maxOutputBytes, liveOutputBytes ?? 0),
        patterns: masking.patterns,
        hasInput,
        endsWithHost,
        room: room && { directory: place.paths.tree, ...room },
      },
      means.server,
    );
    const first = claimedAttempt(home);
    if (first !== attempt && (isKept || first)) return known(place, command, call, launched);
    const closed = isKept ? means.closed : undefined;
    const unkept = isKept ? undefined : { hasInput, exists: () => existsSync(place.paths.directory) };
    const { ended, onHeld } = launched;
    const late = knownLate({ disk, file: request.limits.file, attempt, group, masking, closed, onHeld });
    handle = recordedHandle(attempt, {
      signal,
      closed,
      late,
      ended,
      written: record,
      unkept,
      over: copies?.remove,
    });
    if (!isKept) live.started(handle);
    await endIfGone(place, launched);
    return handle;
  } catch (error) {
    throw masking.error(error);
  } finally {
    if (!handle || isKept) live.release();
    if (!handle) {
      await group?.remove();
      await copies?.remove();
      if (attempt !== undefined && claimedAttempt(home) !== attempt) removeAttempt(attempt);
    }
  }
}

/** The run that another start of the id has begun. @throws SkillError `CONFLICT` unless it is kept. */
function known(
  place: RunPlace,
  { runId, keep }: RunCommand,
  { means, signal }: Call,
  launched?: RecordedLaunch,
): RunHandle {
  const handle = keep ? runOf(place, runId, { signal, closed: means.closed }) : undefined;
  if (handle) return handle;
  throw keep && launched ? notStarted(launched) : runExists(runId);
}

/** Closing the runtime or destroying the workspace during the start ended only the runs that were started before. */
async function endIfGone({ record }: RunPlace, { end, ended }: RecordedLaunch): Promise<void> {
  try {
    record();
  } catch (error) {
    end();
    await ended;
    throw error;
  }
}

function notStarted({ report }: RecordedLaunch): SkillError {
  const why = endOf(report(), false).notStarted ?? "its supervisor was killed";
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. Check \`skillwright doctor\`.`,
  );
}
