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
import { launchRequest } from "../run/launch-request.js";
import { roomOf } from "../run/limit-watches.js";
import { type RunCopies, runCopiesOf } from "../run/run-copies.js";
import type { RunMeans, RunPlace } from "../run/start-run.js";
import { groupOf, supervisedCommand } from "../run/supervised-command.js";
import type { OwnServer } from "../served/own-server.js";
import { knownLate } from "./known-late.js";
import { launchRecorded, type RecordedLaunch } from "./launch-recorded.js";
import {
  checkFree,
  claimedAttempt,
  newAttempt,
  recordPlace,
  removeAttempt,
  removeLeft,
} from "./record-place.js";
import { recordedHandle } from "./recorded-handle.js";
import { runOf } from "./run-of.js";
import { type RunRecord, writeRunRecord } from "./run-record.js";
import { storeInput } from "./stored-input.js";

type Call = CallOptions & { readonly means: RunMeans & { readonly server: OwnServer } };

/** Starts a run that its supervisor records. The caller has just checked that the workspace exists. */
export async function startRecorded(place: RunPlace, command: RunCommand, call: Call): Promise<RunHandle> {
  const { means, signal } = call;
  checkAborted(signal);
  checkCommand(command);
  const { runId, keep: isKept = false, endsWithHost = false } = command;
  const home = recordPlace(place.paths, runId, isKept);
  if (!isKept) removeLeft(place.paths, means.leaseMs);
  checkFree(place.paths, runId, isKept);
  if (claimedAttempt(home)) return known(place, command, call);
  const masking = secretMasking(command.env);
  const live = means.live.starting(place.id);
  let copies: RunCopies | undefined;
  let attempt: string | undefined;
  let group: ControlGroup | undefined;
  let handle: RunHandle | undefined;
  try {
    copies = await runCopiesOf(place, runId, call);
    const { request, diagnostics } = launchRequest(place, command, { means, copies });
    const room = await roomOf(place, request, copies);
    const { sandbox, isolation } = means.inForce;
    attempt = newAttempt(home);
    const { timeoutMs, maxOutputBytes, liveOutputBytes } = command;
    const told = [...diagnostics, ...masking.diagnostics].map(masking.diagnostic);
    const amounts = { timeoutMs, maxOutputBytes, liveOutputBytes, leaseMs: means.leaseMs };
    const { inForce: limits } = request.limits;
    const record: RunRecord = { formatVersion: 1, runId, ...amounts, isolation, limits, diagnostics: told };
    writeRunRecord(attempt, record);
    writeFileSync(`${attempt}/lease`, "");
    if (isKept) await storeInput(attempt, command, signal);
    group = sandbox && (await groupOf(request, means.limits.groups));
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
    const late = knownLate(place, { request, attempt, group, masking, copies, closed, onHeld });
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
  const why = endOf(report, false).notStarted ?? "its supervisor was killed";
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. Check \`skillwright doctor\`.`,
  );
}
