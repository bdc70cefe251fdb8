import { randomBytes } from "node:crypto";

/**
 * Creates a run id, which is also the name of the run's directory. It begins with the time, so that directories sort by
 * age.
 */
export function newRunId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().replace(/[-:.]/g, "");
  return `run_${time}_${randomBytes(4).toString("hex")}`;
}
