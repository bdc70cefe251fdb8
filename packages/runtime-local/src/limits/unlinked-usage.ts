import { readdirSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

const LOOKS_A_TURN = 500;
const BLOCK_BYTES = 512;

/**
 * Bytes of unlinked files on the disk `device` that processes of a PID namespace keep open; measuring the tree does not
 * find them. Files that are only mapped, or being passed through a socket, are not found here either.
 * @param inside One of its processes, which has a `/proc` of the namespace.
 */
export async function unlinkedUsage(inside: number, device: number): Promise<number> {
  const processes = `/proc/${inside}/root/proc`;
  const files = new Map<number, number>();
  let looks = 0;
  for (const pid of read(() => readdirSync(processes)) ?? []) {
    if (!/^\d+$/.test(pid)) continue;
    for (const descriptor of read(() => readdirSync(`${processes}/${pid}/fd`)) ?? []) {
      const stats = read(() => statSync(`${processes}/${pid}/fd/${descriptor}`));
      if (stats?.isFile() && stats.nlink === 0 && stats.dev === device)
        files.set(stats.ino, stats.blocks * BLOCK_BYTES);
      if (++looks % LOOKS_A_TURN === 0) await setImmediate();
    }
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Processes and their files may vanish during the check. */
function read<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
