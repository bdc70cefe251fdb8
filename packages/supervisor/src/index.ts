import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A program that fits this machine, and the version of the protocol that it speaks (`PROTOCOL.md`). */
export interface SupervisorProgram {
  /** Absolute path of a static executable; it needs no other file. */
  readonly path: string;
  readonly protocol: 1;
}

/**
 * Finds the supervisor for this platform and architecture.
 * Returns `undefined` where the package has none: outside Linux, and on other architectures than x64 and arm64. It starts
 * no process and does not tell whether the file may be executed: an installer may have taken its executable bit, and the
 * file system may forbid execution (`noexec`). A caller tries it, and where it does not start uses a copy.
 */
export function supervisorProgram(): SupervisorProgram | undefined {
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch)) return undefined;
  const path = fileURLToPath(new URL(`../bin/linux-${process.arch}/supervisor`, import.meta.url));
  return existsSync(path) ? { path, protocol: 1 } : undefined;
}
