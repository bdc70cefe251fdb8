import { readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors of this process, beyond the first three, that every child would inherit. Node opens none; they come from
 * whatever started it, and one that leads to a directory would lead out of any sandbox. Empty elsewhere than on Linux.
 */
export function inheritedDescriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isInherited(descriptor))
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // Closed meanwhile, such as the one the directory was read through.
    return false;
  }
}
