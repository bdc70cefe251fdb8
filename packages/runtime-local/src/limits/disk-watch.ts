import { statSync } from "node:fs";
import type { Diagnostic } from "@skillwright/core";
import { diskUsage } from "./disk-usage.js";
import { limitReached } from "./limit-diagnostics.js";
import { unlinkedUsage } from "./unlinked-usage.js";

const PAUSE_MS = 100;
/** A look at a large tree takes long; at most this part of the time goes into looking. */
const PAUSE_PER_LOOK = 4;

export interface DiskWatchOptions {
  /** What commands can write to. */
  readonly directories: readonly string[];
  readonly diskBytes: number;
  /** A process in the run's own PID namespace, where it has one. */
  readonly inside: () => Promise<number | undefined>;
  readonly onExceeded: () => void;
}

export interface DiskWatch {
  diagnostics(): readonly Diagnostic[];
  stop(): void;
}

/** Measures at intervals while a run goes on, for the first time at once. */
export function diskWatch({ directories, diskBytes, inside, onExceeded }: DiskWatchOptions): DiskWatch {
  const device = statSync(directories[0] ?? "/").dev;
  let exceeded = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const started = performance.now();
    const pid = await inside();
    const held = (await diskUsage(directories, diskBytes)) + (pid ? await unlinkedUsage(pid, device) : 0);
    if (stopped) return;
    if (held > diskBytes) {
      exceeded = true;
      onExceeded();
      return;
    }
    const pause = Math.max(PAUSE_MS, PAUSE_PER_LOOK * (performance.now() - started));
    timer = setTimeout(() => void look(), pause);
  }

  void look();
  return {
    diagnostics: () => (exceeded ? [limitReached("diskBytes")] : []),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
