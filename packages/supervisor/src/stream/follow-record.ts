import type { RunStream } from "./run-stream.js";
import { type ToldRecord, toldRecord } from "./told-record.js";

/** A command of the supervisor that tells what is added to the record of a run. */
export interface Follower {
  readonly told: ToldRecord;
  /** True when nothing more will be told: the run is over, or the connection has ended. */
  isCut(): boolean;
  /** Resolves after the next news. */
  next(): Promise<void>;
  /** `renew` renews the lease; others go to the supervisor. What cannot be told any more has no effect. */
  tell(line: string): void;
  close(): void;
}

/** A follower that has told nothing and is cut: for a run that cannot be reached now. */
export function cutFollower(): Follower {
  const nothing = () => undefined;
  return {
    told: toldRecord(),
    isCut: () => true,
    next: async () => undefined,
    tell: nothing,
    close: nothing,
  };
}

/** Follows a record, or with `claim` the one that its link names. @throws SkillError `CLOSED`. */
export function followRecord(
  stream: RunStream,
  { directory, claim }: { readonly directory: string; readonly claim?: string | undefined },
): Follower {
  const told = toldRecord();
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
    arguments: ["follow", "--record", directory, ...(claim === undefined ? [] : ["--claim", claim])],
    inputs: [0],
    onBytes: (descriptor, bytes) => {
      if (descriptor === 1) told.take(bytes);
      wake();
    },
  });
  void command.ended.then(cut);
  return {
    told,
    isCut: () => isCut,
    next: async () => {
      if (!isCut) await new Promise<void>((resume) => waiting.push(resume));
    },
    tell: (line) => void command.write(0, Buffer.from(`${line}\n`)).catch(() => undefined),
    close: () => {
      command.end(0);
      cut();
    },
  };
}
