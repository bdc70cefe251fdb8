import { randomBytes } from "node:crypto";

/** A new run's id, which is also its directory's name: the time first, so that directories sort by age. */
export function newRunId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().replace(/[-:.]/g, "");
  return `run_${time}_${randomBytes(4).toString("hex")}`;
}
