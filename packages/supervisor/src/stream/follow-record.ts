import { SkillError } from "@skillwright/core";
import { type ReceivedRecord, type ReceivedRecordOptions, receivedRecord } from "./received-record.js";
import type { RunStream } from "./run-stream.js";

/** A command of the supervisor that tells what is added to the record of a run, and passes on what its host says. */
export interface Follower {
  readonly received: ReceivedRecord;
  /** True when nothing more will be received: the run is over, or the connection has ended. */
  isCut(): boolean;
  /** Resolves after the next news. */
  next(): Promise<void>;
  /** `renew` renews the lease; others go to the supervisor. What cannot be told any more has no effect. */
  tell(line: string): void;
  /**
   * Settles when the bytes were sent to the standard input of the program. @throws SkillError `CLOSED` when it has none, or
   * reads it no more.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the standard input after what was written. */
  endInput(): void;
  close(): void;
}

export interface FollowOptions extends ReceivedRecordOptions {
  readonly directory: string;
  /** Follows the run that this link in the directory names. */
  readonly claim?: string | undefined;
  /** True where the program has a standard input. */
  readonly hasInput?: boolean | undefined;
}

/** The descriptor of `follow` whose bytes become the standard input of the program. */
const FEED = 5;

/** A follower that has told nothing and is cut: for a run that cannot be reached now. */
export function cutFollower(): Follower {
  const nothing = () => undefined;
  return {
    received: receivedRecord({ onPiece: nothing }),
    isCut: () => true,
    next: async () => undefined,
    tell: nothing,
    write: async () => {
      throw noInput();
    },
    endInput: nothing,
    close: nothing,
  };
}

/** Follows the record in a directory. @throws SkillError `CLOSED`. */
export function followRecord(
  stream: RunStream,
  { directory, claim, hasInput = false, onPiece, mostWaiting }: FollowOptions,
): Follower {
  const received = receivedRecord({ onPiece, mostWaiting });
  let isCut = false;
  let waiting: (() => void)[] = [];

  function wake(): void {
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  }

  function cut(): void {
    isCut = true;
    wake();
  }

  const command = stream.start({
    arguments: [
      ...["follow", "--record", directory],
      ...(claim === undefined ? [] : ["--claim", claim]),
      ...(hasInput ? ["--feed", `${FEED}`] : []),
    ],
    inputs: hasInput ? [0, FEED] : [0],
    onBytes: (descriptor, bytes) => {
      if (descriptor === 1) received.take(bytes);
      wake();
    },
  });
  void command.ended.then(cut);
  // Where the connection is cut, the next follower is told.
  const tell = (line: string) => void command.write(0, Buffer.from(`${line}\n`)).catch(() => undefined);
  return {
    received,
    isCut: () => isCut,
    next: async () => {
      if (!isCut) await new Promise<void>((resume) => waiting.push(resume));
    },
    tell,
    write: async (bytes) => {
      if (!hasInput) throw noInput();
      await command.write(FEED, bytes);
    },
    endInput: () => {
      command.end(FEED);
      // An end without this is that of the connection, which the input survives.
      tell("end-input");
    },
    close: () => {
      command.end(0);
      cut();
    },
  };
}

function noInput(): SkillError {
  return new SkillError(
    "CLOSED",
    "The standard input of this run has ended. Give `stdin` when you start it, or set `interactive`.",
  );
}
