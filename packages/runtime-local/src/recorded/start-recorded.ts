import { rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { byteStream, type CallOptions, SkillError } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  type RunCommand,
  type RunHandle,
  secretMasking,
} from "@skillwright/core/adapter";
import { endOf } from "@skillwright/supervisor";
import type { ControlGroup } from "../limits/control-groups.js";
import { type LaunchRequest, launchRequest } from "../run/launch-request.js";
import { type RunCopies, runCopiesOf } from "../run/run-copies.js";
import type { RunMeans, RunPlace } from "../run/start-run.js";
import { groupOf, supervisedCommand } from "../run/supervised-command.js";
import type { OwnServer } from "../served/own-server.js";
import { readRecord } from "../storage/workspace-record.js";
import { knownLate } from "./known-late.js";
import { launchRecorded, type RecordedLaunch } from "./launch-recorded.js";
import { claimedAttempt, keyPlace, newAttempt, ownPlace, removeLeft } from "./record-place.js";
import { type OwnRun, recordedHandle } from "./recorded-handle.js";
import { type RunRecord, writeRunRecord } from "./run-record.js";

type Call = CallOptions & { readonly means: RunMeans & { readonly server: OwnServer } };

/** True where runs can outlive their host. Copies of skills for one run are removed by its host. */
export function startsKeyed({ server, skillCopies }: Pick<RunMeans, "server" | "skillCopies">): boolean {
  return server !== undefined && skillCopies !== "run";
}

/** The run of the key, live or ended; `undefined` where there is none. */
export function runOfKey(
  { paths, record }: RunPlace,
  key: string,
  call: CallOptions & { readonly means: Pick<RunMeans, "closed"> },
): RunHandle | undefined {
  record();
  return knownRun({ paths }, key, call);
}

/** As `runOfKey`, but does not check that the workspace exists: the caller has just done that. */
function knownRun(
  { paths }: Pick<RunPlace, "paths">,
  key: string,
  { means, signal }: CallOptions & { readonly means: Pick<RunMeans, "closed"> },
): RunHandle | undefined {
  const attempt = claimedAttempt(keyPlace(paths, key));
  return attempt === undefined ? undefined : recordedHandle(attempt, { signal, closed: means.closed });
}

/**
 * Starts a run that its supervisor records. With a key, the run outlives this process, and an existing run of the key is returned.
 * Without a key, the run ends with this process, and its record is removed. The caller has just checked that the workspace
 * exists.
 */
export async function startRecorded(place: RunPlace, command: RunCommand, call: Call): Promise<RunHandle> {
  checkAborted(call.signal);
  checkCommand(command, { keyed: startsKeyed(call.means) });
  const { key } = command;
  if (key === undefined) return await startFirst(place, command, call);
  const known = knownRun(place, key, call);
  if (known) return known;
  const { starting } = call.means;
  const name = keyPlace(place.paths, key);
  const other = starting.get(name);
  if (other) {
    // Whatever comes of it: this call then finds its run, or starts its own.
    await other.catch(() => undefined);
    return await startRecorded(place, command, call);
  }
  const started = startFirst(place, command, call).finally(() => starting.delete(name));
  starting.set(name, started);
  return await started;
}

/** Under a key, the supervisor decides whether this attempt is the first; until then it can be removed. */
async function startFirst(place: RunPlace, command: RunCommand, call: Call): Promise<RunHandle> {
  const { means, signal } = call;
  const { key, runId } = command;
  const home = key === undefined ? ownPlace(place.paths) : keyPlace(place.paths, key);
  if (key === undefined) removeLeft(home);
  const masking = secretMasking(command.env);
  const claim = means.live.claim(place.id, runId);
  let copies: RunCopies | undefined;
  let attempt: string | undefined;
  let group: ControlGroup | undefined;
  let handle: RunHandle | undefined;
  try {
    copies = await runCopiesOf(place, runId, call);
    const { request, diagnostics } = launchRequest(place, command, { means, copies });
    const { sandbox, isolation } = means.inForce;
    attempt = newAttempt(place.paths, home);
    const { timeoutMs, maxOutputBytes, liveOutputBytes } = command;
    const told = [...diagnostics, ...masking.diagnostics].map(masking.diagnostic);
    const limits = { timeoutMs, maxOutputBytes, liveOutputBytes, leaseMs: means.leaseMs };
    const record: RunRecord = { formatVersion: 1, runId, ...limits, isolation, diagnostics: told };
    if (key !== undefined) await prepareAttempt(attempt, record, command, signal);
    group = sandbox && (await groupOf(request, means.limits.groups));
    const launched = await launchRecorded(
      {
        ...supervisedCommand(request, sandbox, group),
        directory: attempt,
        leaseMs: key === undefined ? undefined : means.leaseMs,
        outputBytes: Math.max(maxOutputBytes, liveOutputBytes ?? 0),
        patterns: masking.patterns,
      },
      means.server,
    );
    if (key !== undefined && claimedAttempt(home) !== attempt)
      return knownRun(place, key, call) ?? failed(launched);
    const closed = key === undefined ? undefined : means.closed;
    const own = key === undefined ? ownRun(place, request, copies) : undefined;
    const late = knownLate(place, { request, attempt, group, masking, copies, closed });
    const { ended } = launched;
    handle = recordedHandle(attempt, { signal, closed, late, ended, written: record, own });
    claim.started(handle, { belongsToKey: key !== undefined });
    await endIfGone(place, launched);
    return handle;
  } catch (error) {
    throw masking.error(error);
  } finally {
    if (!handle) {
      claim.release();
      await group?.remove();
      await copies?.remove();
      if (attempt !== undefined && (key === undefined || claimedAttempt(home) !== attempt))
        rmSync(attempt, { recursive: true, force: true });
    }
  }
}

function ownRun({ paths }: RunPlace, { input }: LaunchRequest, copies: RunCopies | undefined): OwnRun {
  return {
    hasInput: input,
    isThere: () => readRecord(paths.directory) !== undefined,
    over: async () => await copies?.remove(),
  };
}

/** Stores what another process needs in order to follow the run. */
async function prepareAttempt(
  directory: string,
  record: RunRecord,
  { stdin }: RunCommand,
  signal: AbortSignal | undefined,
): Promise<void> {
  writeRunRecord(directory, record);
  writeFileSync(`${directory}/lease`, "");
  if (stdin === undefined) return;
  // A host that dies while it passes the input on must not leave a command with a part of it.
  const file = await open(`${directory}/input`, "wx", 0o600);
  try {
    for await (const piece of byteStream(stdin)) {
      checkAborted(signal);
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
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

function failed({ report }: RecordedLaunch): never {
  const why = endOf(report, false).notStarted ?? "its supervisor was killed";
  throw new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. Check \`skillwright doctor\`.`,
  );
}
