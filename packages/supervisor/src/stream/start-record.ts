import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { followRecord } from "./follow-record.js";
import { type RecordContent, recordFiles } from "./record-files.js";
import type { RunPlace } from "./recorded-runs.js";
import type { RunStream } from "./run-stream.js";
import type { CommandEnd, StreamedCommand } from "./streamed-command.js";

/** A run to be started and recorded. */
export interface RecordedStart extends RecordContent {
  /** Options of the supervisor's `run`, then `--`, and the program. */
  readonly words: readonly string[];
  /** What other hosts see while the run is in progress. */
  readonly note?: string | undefined;
  /** The standard input stays open for `RunHandle.write`. */
  readonly hasInput: boolean;
  /** The run ends with the connection of this process, and not a lease after it. */
  readonly endsWithHost: boolean;
}

/** Why a command was not started: the step that failed, or the supervisor's own words. */
export interface NotStarted {
  readonly step?: string;
  /** As in Linux, for the architecture of the supervisor. */
  readonly errno?: number;
  readonly said: string;
}

export interface StartedRecord {
  /** Directory of this attempt. */
  readonly directory: string;
  /** Why the command was not started; `undefined` where nobody knows, because the connection or the supervisor ended first. */
  readonly answer: "started" | NotStarted | undefined;
  /** Settles when the supervisor of the run has ended, or the connection. */
  readonly ended: Promise<CommandEnd | undefined>;
}

/** Does not wait longer for a connection that hangs. */
const ENDING_MS = 2000;
/** Characters of the supervisor's own words that an error may need. */
const MOST_SAID = 65_536;
const HOST = 4;
const FILES = 5;

/** Starts a supervisor that records its run in a new directory of the place. Its host may be gone before it answers. */
export async function startRecord(
  stream: RunStream,
  { directory: place, claim }: RunPlace,
  start: RecordedStart,
  waiting: <T>(answer: () => Promise<T>) => Promise<T>,
): Promise<StartedRecord> {
  const { record, words, note, hasInput, endsWithHost } = start;
  const { isKept } = record;
  const directory = `${place}/${randomBytes(9).toString("hex")}`;
  let answer = "";
  let said = "";
  let answered = () => {};
  const answering = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const command = stream.start({
    arguments: [
      ...["run", "--files", "--put", `${FILES}`, "--record", directory, "--claim", claim],
      ...["--lease", `${record.leaseMs}`, "--output-bytes", `${record.keptBytes ?? record.maxOutputBytes}`],
      ...(hasInput ? ["--input"] : []),
      ...(isKept ? [] : ["--unkept"]),
      ...(endsWithHost ? ["--control", `${HOST}`] : []),
      ...words,
    ],
    inputs: endsWithHost ? [HOST, FILES] : [FILES],
    note,
    onBytes: (descriptor, bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      if (descriptor === 1 && !answer.includes("\n")) answer += text;
      else if (descriptor !== 1 && said.length < MOST_SAID) said += text;
      if (answer.includes("\n")) answered();
    },
  });
  void command.ended.then(answered);
  try {
    await waiting(async () => {
      await give(command, start);
      await answering;
    });
  } catch (error) {
    // With a part of the files, nothing is started.
    command.end(FILES);
    if (!isKept) {
      // The first failure is thrown.
      const ended = answering.then(() => endAbandoned(stream, directory)).catch(() => undefined);
      await Promise.race([ended, setTimeout(ENDING_MS, undefined, { ref: false })]);
    }
    throw error;
  }
  const [line = ""] = answer.split("\n");
  const { ended } = command;
  if (line === "started") return { directory, answer: line, ended };
  if (line === "" && (await ended)?.how !== "exit") return { directory, answer: undefined, ended };
  const [, step, errno] = /^failed (\w+) (\d+)$/.exec(line) ?? [];
  const failed = step === undefined ? {} : { step, errno: Number(errno) };
  return { directory, answer: { ...failed, said: said.trim() || line }, ended };
}

/** Ends a run that may have started while its start was given up: nobody has a handle of it. */
async function endAbandoned(stream: RunStream, directory: string): Promise<void> {
  if (!stream.isOpen()) return;
  const follower = followRecord(stream, { directory, onPiece: () => undefined });
  follower.tell("end");
  while (!follower.received.isNone() && !follower.received.isOver() && !follower.isCut())
    await follower.next();
  follower.tell("taken");
  follower.close();
}

async function give(command: StreamedCommand, content: RecordContent): Promise<void> {
  try {
    for await (const bytes of recordFiles(content)) await command.write(FILES, bytes);
  } catch (error) {
    // It stops reading when it cannot store a file, and tells why.
    if (!SkillError.is(error, "CLOSED")) throw error;
  }
  command.end(FILES);
}
