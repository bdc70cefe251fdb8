import { randomBytes } from "node:crypto";
import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { processExists } from "../host/process-identity.js";

const PREFIX = "skillwright-";

/** A new name that identifies the process that owns the group. */
export function groupName(): string {
  return `${PREFIX}${process.pid}-${randomBytes(8).toString("hex")}`;
}

/** Removes empty groups of ended processes. */
export function sweepGroups(parent: string): void {
  for (const name of namesIn(parent)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (!owner || processExists(Number(owner))) continue;
    try {
      rmdirSync(join(parent, name));
    } catch {
      // It still contains processes; the next sweep tries again.
    }
  }
}

function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}
