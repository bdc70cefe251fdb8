import { readFileSync, writeFileSync } from "node:fs";

/** The growth of the peak memory of this process during the work, in bytes, as the kernel counts it. */
export async function peakMemory(work) {
  globalThis.gc?.();
  // Resets the peak of the kernel.
  writeFileSync("/proc/self/clear_refs", "5");
  const before = highWater();
  const result = await work();
  return { result, more: highWater() - before };
}

function highWater() {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]) * 1024;
}
