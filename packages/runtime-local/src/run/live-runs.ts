import { readdirSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunHandle } from "@skillwright/core/adapter";
import { type ProcessIdentity, processIdentity, signalProcess } from "../host/process-identity.js";
import { ownDirectory } from "../storage/own-directory.js";
import { untilSupervisorsEnd } from "./end-supervised.js";

/** The runs in progress: this process's by their handles, those of other processes by the notes they left. */
export interface LiveRuns {
  /** Announces a run that is about to start. */
  starting(workspaceId: string): StartingRun;
  /** Ends this process's runs, all or one workspace's, also those being started, and waits for their end. */
  end(workspaceId?: string): Promise<void>;
}

interface StartingRun {
  /** @param note The note by which other processes find a run that has no supervisor. */
  started(handle: RunHandle, note?: { readonly path: string; readonly pid: number }): void;
  /** The run was not started, or does not end with this process. */
  release(): void;
}

interface LiveRun {
  readonly workspaceId: string;
  /** What this process ends itself; `undefined` where it was not started, or is kept. */
  readonly own: Promise<RunHandle | undefined>;
}

export function liveRuns(): LiveRuns {
  const runs = new Set<LiveRun>();

  function starting(workspaceId: string): StartingRun {
    let decide: (own: RunHandle | undefined) => void = () => undefined;
    const own = new Promise<RunHandle | undefined>((resolve) => {
      decide = resolve;
    });
    const run: LiveRun = { workspaceId, own };
    runs.add(run);
    function release(): void {
      runs.delete(run);
      decide(undefined);
    }
    return {
      release,
      started: (handle, note) => {
        decide(handle);
        // Synchronous, because the note has only a few bytes, and a thread pool call would take as long as the rest of
        // the start.
        if (note) writeNote(note.path, processIdentity(note.pid));
        const over = () => {
          release();
          if (note) removeNote(note.path);
        };
        handle.result.then(over, over);
      },
    };
  }

  async function end(workspaceId?: string): Promise<void> {
    const wanted = [...runs].filter((run) => workspaceId === undefined || run.workspaceId === workspaceId);
    await Promise.all(
      wanted.map(async ({ own }) => {
        const handle = await own;
        if (handle) await endRun(handle);
      }),
    );
  }

  return { starting, end };
}

/** Ends the run and waits until it is over, whatever its outcome. */
export async function endRun(handle: RunHandle): Promise<void> {
  await handle.signal("SIGKILL");
  // Its failure is thrown to whoever started the run.
  await handle.result.catch(() => undefined);
}

/** Ends the process groups of runs for which other processes left a note in that directory. */
export async function endOthersRuns(directory: string): Promise<void> {
  const runs = readNotes(directory);
  for (const run of runs) signalProcess(run, "SIGKILL", { group: true });
  await untilSupervisorsEnd(runs);
}

function readNotes(directory: string): readonly ProcessIdentity[] {
  try {
    return readdirSync(directory).flatMap((name) => readNote(join(directory, name)) ?? []);
  } catch {
    return [];
  }
}

/** A run that ends meanwhile takes its own note away, and no other. */
function readNote(path: string): ProcessIdentity | undefined {
  try {
    const [pid, startTime] = readlinkSync(path).split(" ");
    return pid && startTime ? { pid: Number(pid), startTime } : undefined;
  } catch {
    return undefined;
  }
}

/** Stored as the text of a link, which takes a third of the time of writing a file. */
function writeNote(path: string, identity: ProcessIdentity | undefined): void {
  if (!identity) return;
  const text = `${identity.pid} ${identity.startTime}`;
  // The directory may be missing, and the note of a killed process may still be there.
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      ownDirectory(dirname(path));
      symlinkSync(text, path);
      return;
    } catch (error) {
      // The workspace was destroyed meanwhile; its runs are ended by this process's own list.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return;
      removeNote(path);
    }
  }
}

function removeNote(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Removed with its workspace.
  }
}
