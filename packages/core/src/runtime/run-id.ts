import { createHash } from "node:crypto";

/** The id of the run that `Workspaces.run` starts for a key; the same in every process. */
export function runIdOf(key: string): string {
  return `run_${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
}
