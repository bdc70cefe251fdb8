import { createHash, randomBytes } from "node:crypto";
import { type ByteStream, byteStream, type CallOptions, readBytes, SkillError } from "@skillwright/core";
import { checkAborted, type RunCommand, type RunHandle, untilAborted } from "@skillwright/core/adapter";
import {
  followRecord,
  type RecordedRuns,
  type RunStream,
  readReport,
  recordedRuns,
  recordFiles,
} from "@skillwright/supervisor";
import { RECORDS } from "../pod/pod-names.js";
import { notStarted, reachedLimits } from "../run/run-outcome.js";
import { planRun, type RunCall } from "../run/run-plan.js";
import type { RunStreams } from "../run/run-streams.js";

const CLAIM = "claim";
const MOST_INPUT = 16 * 1024 * 1024;

/** The run of the key, live or ended; `undefined` where there is none. */
export async function runOfKey(
  streams: RunStreams,
  key: string,
  call: RunCall,
): Promise<RunHandle | undefined> {
  return await keyedRuns(streams, call).claimed(keyPlace(key), CLAIM);
}

function keyedRuns(streams: RunStreams, { means: { closed }, signal, fate }: RunCall): RecordedRuns {
  return recordedRuns({
    ...{ fate, signal, closed, reached: reachedLimits, far: "pod" },
    open: () => streams.open({ signal }),
    waiting: (news) => untilAborted(news(), signal),
  });
}

/** Starts the run of the command's key, or returns the one that exists. */
export async function startKeyed(
  streams: RunStreams,
  command: RunCommand & { readonly key: string },
  call: RunCall,
): Promise<RunHandle> {
  const { means, signal } = call;
  checkAborted(signal);
  const { masking, variables, options, program, diagnostics } = planRun(command, means);
  const place = keyPlace(command.key);
  const runs = keyedRuns(streams, call);
  const known = await runs.claimed(place, CLAIM);
  if (known) return known;
  const { runId, maxOutputBytes, stdin, cwd } = command;
  const { leaseMs, isolation } = means;
  const directory = `${place}/${randomBytes(16).toString("hex")}`;
  const record = {
    formatVersion: 1,
    runId,
    maxOutputBytes,
    leaseMs,
    isolation,
    diagnostics: diagnostics.map(masking.diagnostic),
  } as const;
  try {
    const input = stdin === undefined ? undefined : await wholeInput(stdin, call);
    const files = recordFiles({ record, environment: variables, patterns: masking.patterns, input });
    const words = [
      ...[
        "--record",
        directory,
        "--claim",
        CLAIM,
        "--lease",
        `${leaseMs}`,
        "--output-bytes",
        `${maxOutputBytes}`,
      ],
      ...[...options, "--", ...program],
    ];
    const answer = await begin(await streams.open({ signal }), words, files, call);
    if (answer === "started") return await runs.started(directory, record);
    // Another attempt with the key may have won.
    const handle = await runs.claimed(place, CLAIM);
    if (handle) return handle;
    throw notStarted(await reasonOf(streams, directory, answer), cwd);
  } catch (error) {
    throw masking.error(error);
  }
}

function keyPlace(key: string): string {
  return `${RECORDS}/${createHash("sha256").update(key).digest("hex")}`;
}

/** Returns the supervisor's answer: `started`, or why not. */
async function begin(
  stream: RunStream,
  words: readonly string[],
  files: ByteStream,
  { signal }: CallOptions,
): Promise<string> {
  let answer = "";
  let said = "";
  let answered = () => {};
  const answering = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const command = stream.start({
    arguments: ["run", "--files", "--put", "5", ...words],
    inputs: [5],
    onBytes: (descriptor, bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      if (descriptor === 1) answer += text;
      else said += text;
      if (answer.includes("\n")) answered();
    },
  });
  void command.ended.then(answered);
  try {
    for await (const bytes of files) await command.write(5, bytes);
  } catch (error) {
    // It stops reading when it cannot store a file, and tells why.
    if (!SkillError.is(error, "CLOSED")) throw error;
  } finally {
    command.end(5);
  }
  await untilAborted(answering, signal);
  return answer.split("\n")[0] || said.trim();
}

async function reasonOf(
  streams: RunStreams,
  directory: string,
  answer: string,
): Promise<{ step: string; errno: number }> {
  const [, step, errno] = /^failed (\w+) (\d+)$/.exec(answer) ?? [];
  if (step) return { step, errno: Number(errno) };
  const follower = followRecord(await streams.open({}), { directory });
  while (!follower.told.isNone() && !follower.told.isOver() && !follower.isCut()) await follower.next();
  follower.close();
  return readReport(follower.told.text("report")).failed ?? { step: answer || "record", errno: 0 };
}

async function wholeInput(
  stdin: NonNullable<RunCommand["stdin"]>,
  { signal }: CallOptions,
): Promise<{ size: number; stream: () => ByteStream }> {
  const bytes = await untilAborted(readBytes(byteStream(stdin), MOST_INPUT), signal);
  return { size: bytes.byteLength, stream: () => byteStream(bytes) };
}
