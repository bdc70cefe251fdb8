import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type RunHandle, SkillError } from "@skillwright/core";
import { isRunning, type ProcessIdentity, processIdentity, signalProcess } from "../host/process-identity.js";

const OTHERS_MS = 2000;

/** The runs in progress, of this process by their handles and of others by what they wrote down. */
export interface LiveRuns {
  /** Takes the run's id until the run is over. @throws SkillError `CONFLICT` when it is taken. */
  claim(workspaceId: string, runId: string): RunClaim;
  /** Ends this process's runs, all or one workspace's, and waits for it. */
  end(workspaceId?: string): Promise<void>;
}

interface RunClaim {
  /** `directory` is the workspace's, for notes to other processes; `pid` the process that was started. */
  started(directory: string, pid: number, handle: RunHandle): void;
  /** For a run that did not come to be. */
  release(): void;
}

interface LiveRun {
  readonly workspaceId: string;
  readonly runId: string;
  handle?: RunHandle;
}

export function liveRuns(): LiveRuns {
  const runs = new Set<LiveRun>();

  function claim(workspaceId: string, runId: string): RunClaim {
    for (const run of runs)
      if (run.workspaceId === workspaceId && run.runId === runId) throw runExists(runId);
    const run: LiveRun = { workspaceId, runId };
    runs.add(run);
    return {
      release: () => void runs.delete(run),
      started: (directory, pid, handle) => {
        run.handle = handle;
        const note = join(directory, runId);
        // Of a few bytes: at once, as one more turn of the thread pool would take as long as the rest of the start.
        writeNote(note, processIdentity(pid));
        const over = () => {
          runs.delete(run);
          removeNote(note);
        };
        handle.result.then(over, over);
      },
    };
  }

  async function end(workspaceId?: string): Promise<void> {
    const wanted = [...runs].filter((run) => workspaceId === undefined || run.workspaceId === workspaceId);
    await Promise.all(wanted.map(async ({ handle }) => (handle ? await endRun(handle) : undefined)));
  }

  return { claim, end };
}

/** Ends the run and waits until it is over, however it ends. */
export async function endRun(handle: RunHandle): Promise<void> {
  await handle.signal("SIGKILL");
  await handle.result.catch(() => undefined);
}

/**
 * Ends runs that other processes left a note about in that directory, and waits a while for it. Of a sandboxed run the
 * launcher is ended, and all inside ends with it; of a plain one the process group.
 */
export async function endOthersRuns(directory: string): Promise<void> {
  const others = readNotes(directory).filter(
    (run) => signalProcess(run, "SIGKILL", { group: true }) || signalProcess(run, "SIGKILL"),
  );
  const deadline = performance.now() + OTHERS_MS;
  while (others.some(isRunning) && performance.now() < deadline) await setTimeout(2);
}

function readNotes(directory: string): readonly ProcessIdentity[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      const [pid, startTime] = readFileSync(join(directory, name), "utf8").split(" ");
      return pid && startTime ? [{ pid: Number(pid), startTime }] : [];
    });
  } catch {
    return [];
  }
}

function writeNote(path: string, identity: ProcessIdentity | undefined): void {
  try {
    if (identity) writeFileSync(path, `${identity.pid} ${identity.startTime}`);
  } catch {
    // The workspace was destroyed meanwhile; its runs are ended by this process's own list.
  }
}

function removeNote(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone with its workspace.
  }
}

function runExists(runId: string): SkillError {
  return new SkillError("CONFLICT", `A run ${runId} is in progress in this workspace. Choose another id.`, {
    details: { runId },
  });
}
