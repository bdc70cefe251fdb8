import { readFileSync, writeFileSync } from "node:fs";

/** How much more memory this process held at most during the work than before it, in bytes, as the kernel counts it. */
export async function peakMemory(work) {
  globalThis.gc?.();
  // The kernel forgets the peak so far.
  writeFileSync("/proc/self/clear_refs", "5");
  const before = highWater();
  const result = await work();
  return { result, more: highWater() - before };
}

function highWater() {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "latin1"))[1]) * 1024;
}
