import { posix } from "node:path";
import type { CallOptions } from "@skillwright/core";
import { checkAborted, eitherSignal, type RunCommand, type RunHandle } from "@skillwright/core/adapter";
import { type RecordedRuns, type RunRecord, recordedRuns, recordFiles } from "@skillwright/supervisor";
import { containerState } from "../container/container-state.js";
import { ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import { runScript } from "../exec/run-script.js";
import { sizedContent } from "../files/sized-content.js";
import { startHeld } from "../run/container-limits.js";
import { containerEnded } from "../run/run-diagnostics.js";
import { runNote } from "../run/run-note.js";
import type { RunMeans } from "../run/start-run.js";
import { type PreparedRun, prepareRun } from "../served/prepare-run.js";
import { reachedLimits } from "../served/served-limits.js";
import { CLAIM, keyPlace, newAttempt } from "./key-place.js";
import { notBegun, startRecorded } from "./start-recorded.js";

type FoundCall = CallOptions & Pick<RunMeans, "closed"> & { readonly starting?: AbortSignal | undefined };
type KeyedCall = Omit<FoundCall, "closed"> & { readonly means: RunMeans };
type KeyedCommand = RunCommand & { readonly key: string };

/** The run of the key, live or ended; `undefined` where there is none. */
export async function runOfKey(
  container: WorkspaceContainer,
  key: string,
  call: FoundCall,
): Promise<RunHandle | undefined> {
  return await keyedRuns(container, call).claimed(keyPlace(key), CLAIM);
}

function keyedRuns(
  container: WorkspaceContainer,
  { closed, signal, starting = signal }: FoundCall,
): RecordedRuns {
  const { engine } = container;
  const options = { signal: starting };
  return recordedRuns({
    ...{ signal, closed, far: "engine" },
    open: () => engine.streams.open(container, options),
    waiting: (news) => engine.call("Reading the record of a run", news, options),
    fate: async () => {
      const { now } = await containerState(container);
      return now === "stopped" || now === "removed" ? containerEnded(now) : undefined;
    },
    reached: (report, exitCode, { runId }) =>
      reachedLimits(report, exitCode, posix.join(ROOT, "runs", runId)),
  });
}

/** Starts the run of the command's key, or returns the one that exists. */
export async function startKeyed(
  container: WorkspaceContainer,
  command: KeyedCommand,
  call: KeyedCall,
): Promise<RunHandle> {
  const { means, signal, starting = signal } = call;
  checkAborted(starting);
  const prepared = prepareRun(container, command, means);
  const place = keyPlace(command.key);
  const runs = keyedRuns(container, { signal, starting, closed: means.closed });
  const known = await runs.claimed(place, CLAIM);
  if (known) return known;
  const directory = newAttempt(place);
  const claim = means.live.claim(container.workspaceId, command.runId);
  const options = { signal: eitherSignal(starting, claim.signal) };
  let hasBegun = false;
  try {
    const { runId, maxOutputBytes } = command;
    const { leaseMs, isolation } = means;
    const diagnostics = prepared.diagnostics.map(prepared.masking.diagnostic);
    const record = { formatVersion: 1, runId, maxOutputBytes, leaseMs, isolation, diagnostics } as const;
    const begin = async () => await recorded(container, command, { prepared, directory, record }, options);
    const own = prepared.limits.container;
    const answer = await startHeld(container, { own, inTurn: claim.inTurn }, begin, options);
    hasBegun = answer === "started";
    if (hasBegun) return await runs.started(directory, record);
    // Another attempt with the key may have won.
    const handle = await runs.claimed(place, CLAIM);
    if (!handle) throw notBegun(answer);
    return handle;
  } catch (error) {
    throw prepared.masking.error(error);
  } finally {
    claim.release();
    if (!hasBegun) await removeUnclaimed(container, directory).catch(() => undefined);
  }
}

interface Recording {
  readonly prepared: PreparedRun;
  readonly directory: string;
  readonly record: RunRecord;
}

/** Starts the command. Returns the supervisor's answer. */
async function recorded(
  container: WorkspaceContainer,
  { stdin }: KeyedCommand,
  { prepared, directory, record }: Recording,
  options: CallOptions,
): Promise<string> {
  const { masking, environment } = prepared;
  const { leaseMs, maxOutputBytes } = record;
  await using input = stdin === undefined ? undefined : await sizedContent(stdin, options);
  const stream = await container.engine.streams.open(container, options);
  const words = [
    ...["--record", directory, "--claim", CLAIM, "--lease", `${leaseMs}`],
    ...["--output-bytes", `${maxOutputBytes}`, ...prepared.words],
  ];
  const files = recordFiles({ record, environment, patterns: masking.patterns, input });
  return await startRecorded(container, stream, { words, files, note: runNote(prepared.note) }, options);
}

const REMOVE_UNCLAIMED = `[ "$(readlink "$1/../$2")" = "\${1##*/}" ] || rm -rf "$1"`;

async function removeUnclaimed(container: WorkspaceContainer, directory: string): Promise<void> {
  await runScript(container, { script: REMOVE_UNCLAIMED, args: [directory, CLAIM], as: "root" });
}
