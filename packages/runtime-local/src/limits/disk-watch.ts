import { statfsSync, statSync } from "node:fs";
import type { Diagnostic } from "@skillwright/core";
import { MEMORY_FILE_SYSTEMS } from "../isolation/bubblewrap-arguments.js";
import { type DiskUsage, diskUsage } from "./disk-usage.js";
import { hiddenUsage } from "./hidden-usage.js";
import { leftOver, limitReached } from "./limit-diagnostics.js";
import { lostSpace } from "./lost-space.js";
import {
  cover,
  FAR,
  LONGEST_PAUSE_MS,
  limitsText,
  PAUSE_PER_LOOK,
  roomLeft,
  shareUsed,
} from "./measured-usage.js";
import { hasOwnProc, hasThreads } from "./process-count.js";
import { unlinkedUsage } from "./unlinked-usage.js";
import type { WatchedDisk } from "./watched-disk.js";

const SHORTEST_PAUSE_MS = 10;

const ALL: DiskUsage = { bytes: Number.POSITIVE_INFINITY, inodes: Number.POSITIVE_INFINITY };

/** The longest pause between two measurements of a run that shares the host with many others. */
const LONGEST_SHARED_PAUSE_MS = 1000;

export interface DiskWatchOptions extends Omit<WatchedDisk, "workspaceId" | "tree" | "isWatched"> {
  /** A process in the run's own PID namespace, if it has one. */
  readonly inside: () => Promise<number | undefined>;
  readonly onExceeded: () => void;
  /** Takes what the run may take before it is held again. Called for each `hold`, unless the run is to be ended. */
  readonly onRoom?: (room: DiskUsage) => void;
}

export interface DiskWatch {
  diagnostics(): readonly Diagnostic[];
  /** Call it when the supervisor holds the run, because it may have used up its room. It is measured at once. */
  hold(): void;
  /** Call it at the end of the run. What the run left is measured once, unless a measurement of it is too recent. */
  stop(): Promise<void>;
}

/**
 * Measures when the supervisor holds the run, and at intervals, first after 100 ms; the faster usage approaches a limit, the shorter
 * the interval. Without a supervisor, usage may exceed the limit by what is written between two measurements. Of many runs at once, those that
 * have used less than half of their default limits are measured later and less often, down to once a second, so that
 * measuring takes a fifth of the time. A short run is measured at its end. While
 * the limit is far, this is left out until the runs since the last measurement have taken up to four times as long as
 * it took, and under default limits up to 100 ms.
 */
export function diskWatch({
  directories,
  unmeasured,
  watched,
  limits,
  processes,
  isLenient,
  watchesDefaults,
  inside,
  onExceeded,
  onRoom,
}: DiskWatchOptions): DiskWatch {
  const { diskBytes: bytes, inodes } = limits;
  const most = { ...(bytes !== undefined && { bytes }), ...(inodes !== undefined && { inodes }) };
  const measurement = { unmeasured, watched, limits, watchesDefaults };
  const own = limitsText(measurement);
  const device = statSync(directories[0] ?? "/").dev;
  const lost = lostSpace(directories[0] ?? "/", unmeasured.used);
  let gone: DiskUsage = { bytes: 0, inodes: 0 };
  let exceeded: Diagnostic | undefined;
  let isFull = false;
  let stopped = false;
  let isHeld = false;
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;
  // As if all that is found first had come in this run: the second look is then rather too soon.
  let before = { used: 0, atMs: performance.now() };
  let coveredMs = performance.now();

  async function look(): Promise<void> {
    const started = performance.now();
    const answers = isHeld;
    isLooking = true;
    const held = await measured(answers);
    isLooking = false;
    if (stopped) return;
    covered(started, held);
    exceeded = exceededBy(held, most, limitReached);
    if (exceeded) {
      onExceeded();
      return;
    }
    // A measurement that began before it was held may have missed what it wrote meanwhile.
    if (isHeld && !answers) return await look();
    isHeld = false;
    if (answers) onRoom?.(roomLeft(held, { ...ALL, ...most }));
    timer = setTimeout(() => void look(), pauseMs(shareUsed(held, limits), started));
  }

  function hold(): void {
    isHeld = true;
    if (isLooking || stopped || exceeded) return;
    clearTimeout(timer);
    void look();
  }

  async function stop(): Promise<void> {
    if (!stopped) watched.count--;
    stopped = true;
    clearTimeout(timer);
    const started = performance.now();
    unmeasured.ms += started - coveredMs;
    if (exceeded || (unmeasured.limits === own && unmeasured.ms < unmeasured.allowedMs)) return;
    const held = await diskUsage(directories, most, { isLenient });
    covered(started, held);
    exceeded = exceededBy(held, most, leftOver);
  }

  function covered(startedMs: number, used: DiskUsage): void {
    coveredMs = startedMs;
    cover(measurement, { startedMs, used });
  }

  async function measured(isTaken: boolean): Promise<DiskUsage> {
    const held = await diskUsage(directories, most, { isLenient });
    const pid = await inside();
    if (pid === undefined || !hasOwnProc(pid)) return held;
    // The first process inside is counted together with the command's own.
    if (processes !== undefined) isFull ||= hasThreads(pid, processes + 1);
    const all = await withRemoved(held, pid, isTaken);
    return { bytes: all.bytes, inodes: Math.max(all.inodes, inodes ? inMemory(pid) : 0) };
  }

  /**
   * Adds the removed files that processes still keep. The thorough search is made if the run has taken its room, and if the disk has
   * lost more than the run may still take. If the size of such a file cannot be found, all that the disk has lost counts.
   */
  async function withRemoved(held: DiskUsage, pid: number, isTaken: boolean): Promise<DiskUsage> {
    const known = sum(held, await unlinkedUsage(pid, device));
    // Only while the run is stopped do its files and the free space belong to the same moment.
    if (isTaken) gone = lost(known);
    if (!isTaken && !exceededBy(sum(known, gone), most, leftOver)) return known;
    const { hasMore, ...removed } = await hiddenUsage(pid, device);
    const found = sum(held, removed);
    return hasMore ? larger(found, sum(known, gone)) : found;
  }

  function pauseMs(used: number, started: number): number {
    const now = performance.now();
    const rate = (used - before.used) / (now - before.atMs);
    before = { used, atMs: now };
    const untilFullMs = rate > 0 ? (1 - used) / rate : Number.POSITIVE_INFINITY;
    const looked = now - started;
    const isNear = untilFullMs < LONGEST_PAUSE_MS * PAUSE_PER_LOOK;
    const alone = isNear ? looked : PAUSE_PER_LOOK * looked;
    const least =
      watchesDefaults && used < FAR ? Math.max(alone, Math.min(sharedMs(looked), untilFullMs / 2)) : alone;
    const wanted = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, untilFullMs / 2));
    return Math.max(wanted, least);
  }

  function sharedMs(looked: number): number {
    return Math.min(LONGEST_SHARED_PAUSE_MS, PAUSE_PER_LOOK * looked * watched.count);
  }

  watched.count++;
  const isShared = watchesDefaults && unmeasured.isFar;
  timer = setTimeout(() => void look(), Math.max(LONGEST_PAUSE_MS, isShared ? sharedMs(watched.lookMs) : 0));
  return {
    diagnostics: () => [...(isFull ? [limitReached("processes")] : []), ...(exceeded ? [exceeded] : [])],
    hold,
    stop,
  };
}

/** Bytes of files in the run's own memory file systems, which only its processes see; 0 where the run is over. */
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

function sum(one: DiskUsage, other: DiskUsage): DiskUsage {
  return { bytes: one.bytes + other.bytes, inodes: one.inodes + other.inodes };
}

function larger(one: DiskUsage, other: DiskUsage): DiskUsage {
  return { bytes: Math.max(one.bytes, other.bytes), inodes: Math.max(one.inodes, other.inodes) };
}

function exceededBy(
  { bytes, inodes }: DiskUsage,
  most: Partial<DiskUsage>,
  told: typeof leftOver,
): Diagnostic | undefined {
  if (bytes > (most.bytes ?? Number.POSITIVE_INFINITY))
    return told("diskBytes", `${bytesFound(bytes)} found, ${most.bytes} are allowed, best effort`);
  if (inodes > (most.inodes ?? Number.POSITIVE_INFINITY))
    return told("inodes", `${inodes} were found, ${most.inodes} are allowed, best effort`);
  return undefined;
}

function bytesFound(bytes: number): string {
  return Number.isFinite(bytes) ? `${bytes} bytes were` : "directories too deep to be measured were";
}
