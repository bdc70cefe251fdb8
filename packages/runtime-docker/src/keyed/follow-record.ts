import type { CallOptions } from "@skillwright/core";
import { SUPERVISOR, type WorkspaceContainer } from "../container/workspace-container.js";
import { startExec } from "../exec/start-exec.js";
import { type ToldRecord, toldRecord } from "./told-record.js";

/** A process in the container that tells what is added to the record of a run. */
export interface Follower {
  readonly told: ToldRecord;
  /** True when nothing more will be told: the run is over, or the connection or the container has ended. */
  isCut(): boolean;
  /** Resolves after the next news. */
  next(): Promise<void>;
  /** `renew` renews the lease; others go to the supervisor. What cannot be told any more has no effect. */
  tell(line: string): Promise<void>;
  close(): void;
}

/**
 * Follows a record, or with `claim` the one that its link names. Runs as root, which alone may read it.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function followRecord(
  container: WorkspaceContainer,
  { directory, claim }: { readonly directory: string; readonly claim?: string | undefined },
  options: CallOptions,
): Promise<Follower> {
  const named = claim === undefined ? [] : ["--claim", claim];
  const argv = [SUPERVISOR, "follow", "--record", directory, ...named] as const;
  const exec = await startExec(container, { argv, as: "root", input: true }, options);
  const told = toldRecord();
  let isCut = false;
  let waiting: (() => void)[] = [];

  function wake(): void {
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  }

  void (async () => {
    try {
      for await (const { stream, bytes } of exec.output) {
        if (stream === "stdout") told.take(bytes);
        wake();
      }
    } catch {
      // The caller looks for the reason.
    } finally {
      isCut = true;
      wake();
    }
  })();

  return {
    told,
    isCut: () => isCut,
    next: async () => {
      if (!isCut) await new Promise<void>((resume) => waiting.push(resume));
    },
    tell: async (line) => await exec.write(Buffer.from(`${line}\n`)).catch(() => undefined),
    close: () => {
      exec.close();
      isCut = true;
      wake();
    },
  };
}
