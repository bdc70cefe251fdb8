import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** Marks the processes of one test with a variable, however they detach, and lists those that are alive. */
export function markedProcesses() {
  const mark = randomUUID();
  return {
    env: { ...process.env, SUPERVISOR_TEST_MARK: mark },
    alive: (except?: number) => processesWith(mark, except),
  };
}

function processesWith(mark: string, except: number | undefined): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== except)
    .filter((pid) => textOf(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => `${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Gone, or of another user.
  }
}
