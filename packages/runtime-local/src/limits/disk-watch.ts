import { statfsSync, statSync } from "node:fs";
import type { Diagnostic, RunLimits } from "@skillwright/core";
import { MEMORY_FILE_SYSTEMS } from "../isolation/bubblewrap-arguments.js";
import { type DiskUsage, diskUsage } from "./disk-usage.js";
import { leftOver, limitReached } from "./limit-diagnostics.js";
import { hasOwnProc, hasThreads } from "./process-count.js";
import { unlinkedUsage } from "./unlinked-usage.js";

/** Also before the first measurement of a run. */
const LONGEST_PAUSE_MS = 100;
const SHORTEST_PAUSE_MS = 10;
/**
 * Measuring a large tree takes long. The pause after a measurement is at least this many times as long; near a limit,
 * it is at least as long.
 */
const PAUSE_PER_LOOK = 4;

/** The longest pause between two measurements of a run that shares the host with many others. */
const LONGEST_SHARED_PAUSE_MS = 1000;
/** The share of a default limit below which many runs are measured less often. */
const FAR = 0.5;

/** The runs of this runtime that are watched. */
export interface WatchedRuns {
  count: number;
  /** How long the latest measurement of any of them took. */
  lookMs: number;
}

/** How much run time of a workspace no measurement covers yet; all its runs share it. */
export interface UnmeasuredTime {
  ms: number;
  /** With that much, the end of a run is measured; 0 until something was measured. */
  allowedMs: number;
  /** The limits of the runs that this holds for; a run with other ones is measured at its end. */
  limits: string;
  /** True where less than half of the default limits was used when it was last known. */
  isFar: boolean;
}

export interface DiskWatchOptions {
  /** The directories that commands can write to. */
  readonly directories: readonly string[];
  readonly unmeasured: UnmeasuredTime;
  readonly watched: WatchedRuns;
  readonly limits: Pick<RunLimits, "diskBytes" | "inodes">;
  /** Emits a diagnostic when the run has that many threads at once; the run continues. */
  readonly processes?: number | undefined;
  /**
   * True where a tree too deep to be measured is accepted, as under default limits, which the caller did not request.
   */
  readonly isLenient: boolean;
  /**
   * True where all limits are defaults: then the ends of short runs are measured no more often than a long run is, and
   * many runs at once less often than one.
   */
  readonly watchesDefaults: boolean;
  /** A process in the run's own PID namespace, if it has one. */
  readonly inside: () => Promise<number | undefined>;
  readonly onExceeded: () => void;
}

export interface DiskWatch {
  diagnostics(): readonly Diagnostic[];
  /** Call it at the end of the run. What the run left is measured once, unless a measurement of it is too recent. */
  stop(): Promise<void>;
}

/**
 * Measures at intervals during a run, first after 100 ms; the faster usage approaches a limit, the shorter the interval.
 * Usage may exceed the limit by what is written between two measurements. Of many runs at once, those that
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
}: DiskWatchOptions): DiskWatch {
  const { diskBytes: bytes, inodes } = limits;
  const most = { ...(bytes !== undefined && { bytes }), ...(inodes !== undefined && { inodes }) };
  const own = JSON.stringify({ most, watchesDefaults });
  const device = statSync(directories[0] ?? "/").dev;
  let exceeded: Diagnostic | undefined;
  let isFull = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  // As if all that is found first had come in this run: the second look is then rather too soon.
  let before = { used: 0, atMs: performance.now() };
  let coveredMs = performance.now();

  async function look(): Promise<void> {
    const started = performance.now();
    const held = await measured();
    if (stopped) return;
    cover(started, held);
    exceeded = exceededBy(held, most, limitReached);
    if (exceeded) {
      onExceeded();
      return;
    }
    timer = setTimeout(() => void look(), pauseMs(shareUsed(held, most), started));
  }

  async function stop(): Promise<void> {
    if (!stopped) watched.count--;
    stopped = true;
    clearTimeout(timer);
    const started = performance.now();
    unmeasured.ms += started - coveredMs;
    if (exceeded || (unmeasured.limits === own && unmeasured.ms < unmeasured.allowedMs)) return;
    const held = await diskUsage(directories, most, { isLenient });
    cover(started, held);
    exceeded = exceededBy(held, most, leftOver);
  }

  function cover(started: number, held: DiskUsage): void {
    coveredMs = started;
    unmeasured.ms = 0;
    unmeasured.limits = own;
    const pause = Math.max(
      PAUSE_PER_LOOK * (performance.now() - started),
      watchesDefaults ? LONGEST_PAUSE_MS : 0,
    );
    const used = shareUsed(held, most);
    unmeasured.allowedMs = pause * (1 - used);
    unmeasured.isFar = watchesDefaults && used < FAR;
    watched.lookMs = performance.now() - started;
  }

  async function measured(): Promise<DiskUsage> {
    const held = await diskUsage(directories, most, { isLenient });
    const pid = await inside();
    if (pid === undefined || !hasOwnProc(pid)) return held;
    // The first process inside is counted together with the command's own.
    if (processes !== undefined) isFull ||= hasThreads(pid, processes + 1);
    const unlinked = bytes === undefined ? 0 : await unlinkedUsage(pid, device);
    return { bytes: held.bytes + unlinked, inodes: Math.max(held.inodes, inodes ? inMemory(pid) : 0) };
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

/** Share of the limit closest to being reached; 1 means reached. */
function shareUsed(held: DiskUsage, most: Partial<DiskUsage>): number {
  return Math.max(
    held.bytes / (most.bytes ?? Number.POSITIVE_INFINITY),
    held.inodes / (most.inodes ?? Number.POSITIVE_INFINITY),
  );
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
