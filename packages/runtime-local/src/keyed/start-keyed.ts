import { rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { byteStream, type CallOptions, type Diagnostic, SkillError } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  type RunCommand,
  type RunHandle,
  secretMasking,
} from "@skillwright/core/adapter";
import { endOf } from "@skillwright/supervisor";
import type { ControlGroup } from "../limits/control-groups.js";
import type { LaunchRequest } from "../run/launch.js";
import { plainCommand } from "../run/launch-plain.js";
import { launchRequest } from "../run/launch-request.js";
import { groupOf, sandboxedCommand } from "../run/launch-sandboxed.js";
import type { SupervisedCommand } from "../run/launch-supervised.js";
import type { RunMeans, RunPlace } from "../run/start-run.js";
import type { OwnServer } from "../served/own-server.js";
import { claimedAttempt, keyPlace, newAttempt } from "./key-place.js";
import { keyedHandle } from "./keyed-handle.js";
import { knownLate } from "./known-late.js";
import { launchRecorded, type RecordedLaunch } from "./launch-recorded.js";
import { type RunRecord, writeRunRecord } from "./run-record.js";

type KeyedCall = CallOptions & { readonly means: RunMeans };
type KeyedCommand = RunCommand & { readonly key: string };

/** True where runs can outlive their host. Copies of skills for one run are removed by its host. */
export function startsKeyed({ server, skillCopies }: Pick<RunMeans, "server" | "skillCopies">): boolean {
  return server !== undefined && skillCopies !== "run";
}

/** The run of the key, live or ended; `undefined` where there is none. */
export function runOfKey(
  { paths, record }: RunPlace,
  key: string,
  { means, signal }: KeyedCall,
): RunHandle | undefined {
  record();
  return knownRun({ paths }, key, { means, signal });
}

/** As `runOfKey`, but does not check that the workspace exists: the caller has just done that. */
function knownRun(
  { paths }: Pick<RunPlace, "paths">,
  key: string,
  { means, signal }: KeyedCall,
): RunHandle | undefined {
  const attempt = claimedAttempt(keyPlace(paths, key));
  return attempt === undefined ? undefined : keyedHandle(attempt, { signal, closed: means.closed });
}

/** Starts the run of the command's key, or returns the one that exists. The caller has just checked that the workspace exists. */
export async function startKeyed(
  place: RunPlace,
  command: KeyedCommand,
  call: KeyedCall,
): Promise<RunHandle> {
  checkAborted(call.signal);
  checkCommand(command, { keyed: true });
  const { starting } = call.means;
  const known = knownRun(place, command.key, call);
  if (known) return known;
  const name = keyPlace(place.paths, command.key);
  const other = starting.get(name);
  if (other) {
    // Whatever comes of it: this call then finds its run, or starts its own.
    await other.catch(() => undefined);
    return await startKeyed(place, command, call);
  }
  const started = startFirst(place, command, call).finally(() => starting.delete(name));
  starting.set(name, started);
  return await started;
}

/** The supervisor decides whether this attempt is the first; until then it can be removed. */
async function startFirst(place: RunPlace, command: KeyedCommand, call: KeyedCall): Promise<RunHandle> {
  const { means, signal } = call;
  const keyed = keyPlace(place.paths, command.key);
  const masking = secretMasking(command.env);
  const claim = means.live.claim(place.id, command.runId);
  let attempt: string | undefined;
  let group: ControlGroup | undefined;
  let isFirst = false;
  try {
    const { request, diagnostics } = launchRequest(place, command, { means, copies: undefined });
    attempt = newAttempt(place.paths, keyed);
    const written = await prepareAttempt(
      attempt,
      command,
      call,
      [...diagnostics, ...masking.diagnostics].map(masking.diagnostic),
    );
    group = means.inForce.sandbox && groupOf(request, means.limits.groups);
    const launched = await launchRecorded(
      {
        ...supervisedCommand(request, means, group),
        directory: attempt,
        leaseMs: means.leaseMs,
        outputBytes: Math.max(command.maxOutputBytes, command.liveOutputBytes ?? 0),
        patterns: masking.patterns,
      },
      serverOf(means),
    );
    isFirst = claimedBy(place, keyed, launched) === attempt;
    if (!isFirst) return knownRun(place, command.key, call) ?? failed(launched);
    const late = knownLate(place, { request, attempt, group, masking, closed: means.closed });
    const { ended } = launched;
    const handle = keyedHandle(attempt, { signal, closed: means.closed, late, ended, written });
    claim.startedByKey(handle);
    return handle;
  } catch (error) {
    throw masking.error(error);
  } finally {
    if (!isFirst) {
      claim.release();
      await group?.remove();
      if (attempt !== undefined && claimedAttempt(keyed) !== attempt)
        rmSync(attempt, { recursive: true, force: true });
    }
  }
}

async function prepareAttempt(
  directory: string,
  { runId, stdin, timeoutMs, maxOutputBytes, liveOutputBytes }: KeyedCommand,
  { means, signal }: KeyedCall,
  diagnostics: readonly Diagnostic[],
): Promise<RunRecord> {
  const { leaseMs, inForce } = means;
  const { isolation } = inForce;
  const limits = { timeoutMs, maxOutputBytes, liveOutputBytes, leaseMs };
  const record: RunRecord = { formatVersion: 1, runId, ...limits, isolation, diagnostics };
  writeRunRecord(directory, record);
  writeFileSync(`${directory}/lease`, "");
  if (stdin === undefined) return record;
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
  return record;
}

function supervisedCommand(
  request: LaunchRequest,
  { inForce }: RunMeans,
  group: ControlGroup | undefined,
): SupervisedCommand {
  const { sandbox } = inForce;
  return sandbox ? sandboxedCommand(request, { sandbox, group }) : plainCommand(request);
}

function serverOf({ server }: RunMeans): OwnServer {
  if (server) return server;
  throw new SkillError("UNSUPPORTED", "Runs with a key need a supervisor, which this machine does not have.");
}

/** A workspace that was destroyed during the start did not end this run. */
function claimedBy({ record }: RunPlace, keyed: string, { end }: RecordedLaunch): string | undefined {
  try {
    record();
    return claimedAttempt(keyed);
  } catch (error) {
    end();
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
