import { type ByteStream, byteStream, type CallOptions, readBytes } from "@skillwright/core";
import { checkAborted, type RunCommand, type RunHandle, untilAborted } from "@skillwright/core/adapter";
import {
  type RecordedRuns,
  type RunRecord,
  recordedRuns,
  recordingOf,
  runPlace,
} from "@skillwright/supervisor";
import { RECORDS } from "../pod/pod-names.js";
import { notStarted, reachedLimits } from "./run-outcome.js";
import { planRun, type RunCall } from "./run-plan.js";
import type { RunStreams } from "./run-streams.js";

const CLAIM = "claim";
const MOST_INPUT = 16 * 1024 * 1024;

/** The run with that id, live or ended; `undefined` where there is none. */
export async function runOf(
  streams: RunStreams,
  runId: string,
  call: RunCall,
): Promise<RunHandle | undefined> {
  return await runsIn(streams, call).found(runPlace(RECORDS, runId, CLAIM));
}

/**
 * Starts a command that the recorder of the pod records, or returns the run with that id that is kept. Settles when the command
 * runs.
 */
export async function startRun(streams: RunStreams, command: RunCommand, call: RunCall): Promise<RunHandle> {
  const { means, signal } = call;
  checkAborted(signal);
  const { masking, variables: environment, options, limits, program, diagnostics } = planRun(command, means);
  const { runId, maxOutputBytes, stdin, cwd } = command;
  const { isKept, keptBytes, ...recording } = recordingOf(command);
  const record: RunRecord = {
    ...{ formatVersion: 1, runId, isKept, maxOutputBytes, keptBytes },
    ...{ leaseMs: means.leaseMs, isolation: means.isolation, limits },
    diagnostics: diagnostics.map(masking.diagnostic),
  };
  try {
    const input = isKept && stdin !== undefined ? await wholeInput(stdin, call) : undefined;
    const started = await runsIn(streams, call).start(runPlace(RECORDS, runId, CLAIM), {
      ...{ ...recording, record, environment, patterns: masking.patterns, input },
      words: [...options, "--", ...program],
    });
    if ("result" in started) return started;
    throw notStarted(started, cwd);
  } catch (error) {
    throw masking.error(error);
  }
}

function runsIn(streams: RunStreams, { means: { closed }, signal, fate }: RunCall): RecordedRuns {
  return recordedRuns({
    ...{ fate, signal, closed, reached: reachedLimits, far: "pod" },
    open: () => streams.open({ signal }),
    waiting: (answer) => untilAborted(answer(), signal),
  });
}

async function wholeInput(
  stdin: NonNullable<RunCommand["stdin"]>,
  { signal }: CallOptions,
): Promise<{ size: number; stream: () => ByteStream }> {
  const bytes = await untilAborted(readBytes(byteStream(stdin), MOST_INPUT), signal);
  return { size: bytes.byteLength, stream: () => byteStream(bytes) };
}
