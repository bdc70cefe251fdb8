import { statfsSync, statSync } from "node:fs";
import type { Diagnostic, RunLimits } from "@skillwright/core";
import { MEMORY_FILE_SYSTEMS } from "../isolation/bubblewrap-arguments.js";
import { type DiskUsage, diskUsage } from "./disk-usage.js";
import { limitReached } from "./limit-diagnostics.js";
import { hasOwnProc, hasThreads } from "./process-count.js";
import { unlinkedUsage } from "./unlinked-usage.js";

const LONGEST_PAUSE_MS = 100;
const SHORTEST_PAUSE_MS = 10;
/** A look at a large tree takes long; at most this part of the time goes into looking, half of it near a limit. */
const PAUSE_PER_LOOK = 4;

export interface DiskWatchOptions {
  /** What commands can write to. */
  readonly directories: readonly string[];
  readonly limits: Pick<RunLimits, "diskBytes" | "inodes">;
  /** Said when the run has so many threads at once; it goes on. */
  readonly processes?: number | undefined;
  /** Whether a tree too deep to be measured is let through, as under default limits, which nobody asked for. */
  readonly isLenient: boolean;
  /** A process in the run's own PID namespace, where it has one. */
  readonly inside: () => Promise<number | undefined>;
  readonly onExceeded: () => void;
}

export interface DiskWatch {
  diagnostics(): readonly Diagnostic[];
  stop(): void;
}

/**
 * Measures at intervals while a run goes on, for the first time at once; the faster a limit comes near, the sooner it looks
 * again. What is written between two looks comes on top.
 */
export function diskWatch({
  directories,
  limits,
  processes,
  isLenient,
  inside,
  onExceeded,
}: DiskWatchOptions): DiskWatch {
  const { diskBytes: bytes, inodes } = limits;
  const most = { ...(bytes !== undefined && { bytes }), ...(inodes !== undefined && { inodes }) };
  const device = statSync(directories[0] ?? "/").dev;
  let exceeded: Diagnostic | undefined;
  let isFull = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let before: { readonly used: number; readonly atMs: number } | undefined;

  async function look(): Promise<void> {
    const started = performance.now();
    const held = await measured();
    if (stopped) return;
    exceeded = exceededBy(held, most);
    if (exceeded) {
      onExceeded();
      return;
    }
    timer = setTimeout(() => void look(), pauseMs(shareUsed(held, most), started));
  }

  async function measured(): Promise<DiskUsage> {
    const held = await diskUsage(directories, most, { isLenient });
    // Nothing can have been opened, removed and filled before the first look.
    const pid = before && (await inside());
    if (pid === undefined || !hasOwnProc(pid)) return held;
    // The first process inside is counted with the command's own.
    if (processes !== undefined) isFull ||= hasThreads(pid, processes + 1);
    const unlinked = bytes === undefined ? 0 : await unlinkedUsage(pid, device);
    return { bytes: held.bytes + unlinked, inodes: Math.max(held.inodes, inodes ? inMemory(pid) : 0) };
  }

  function pauseMs(used: number, started: number): number {
    const now = performance.now();
    const rate = before ? (used - before.used) / (now - before.atMs) : 0;
    before = { used, atMs: now };
    const untilFullMs = rate > 0 ? (1 - used) / rate : Number.POSITIVE_INFINITY;
    const least = (untilFullMs < LONGEST_PAUSE_MS * PAUSE_PER_LOOK ? 1 : PAUSE_PER_LOOK) * (now - started);
    const wanted = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, untilFullMs / 2));
    return Math.max(wanted, least);
  }

  void look();
  return {
    diagnostics: () => [...(isFull ? [limitReached("processes")] : []), ...(exceeded ? [exceeded] : [])],
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Files in the run's own file systems in memory, which only its processes see; 0 where the run is over. */
function inMemory(pid: number): number {
  try {
    return MEMORY_FILE_SYSTEMS.reduce((sum, path) => {
      const { files, ffree } = statfsSync(`/proc/${pid}/root${path}`);
      return sum + files - ffree;
    }, 0);
  } catch {
    return 0;
  }
}

/** Of the limit that is nearest: 1 is all of it. */
function shareUsed(held: DiskUsage, most: Partial<DiskUsage>): number {
  return Math.max(
    held.bytes / (most.bytes ?? Number.POSITIVE_INFINITY),
    held.inodes / (most.inodes ?? Number.POSITIVE_INFINITY),
  );
}

function exceededBy({ bytes, inodes }: DiskUsage, most: Partial<DiskUsage>): Diagnostic | undefined {
  if (bytes > (most.bytes ?? Number.POSITIVE_INFINITY))
    return limitReached("diskBytes", `${bytesFound(bytes)} found, ${most.bytes} are allowed, best effort`);
  if (inodes > (most.inodes ?? Number.POSITIVE_INFINITY))
    return limitReached("inodes", `${inodes} were found, ${most.inodes} are allowed, best effort`);
  return undefined;
}

function bytesFound(bytes: number): string {
  return Number.isFinite(bytes) ? `${bytes} bytes were` : "directories too deep to be measured were";
}
