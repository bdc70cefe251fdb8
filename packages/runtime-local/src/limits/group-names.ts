import { randomBytes } from "node:crypto";
import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { processExists } from "../host/process-identity.js";

const PREFIX = "skillwright-";

/** A new name that tells whose group it is. */
export function groupName(): string {
  return `${PREFIX}${process.pid}-${randomBytes(8).toString("hex")}`;
}

/** True for a name that only `groupName` gives. */
export function isGroupName(name: string): boolean {
  return new RegExp(`^${PREFIX}\\d+-[0-9a-f]{16}$`).test(name);
}

/** Removes groups of processes that are gone, and gives those that still have processes in them. */
export function sweepGroups(parent: string): readonly string[] {
  const left: string[] = [];
  for (const name of namesIn(parent)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (!owner || processExists(Number(owner))) continue;
    try {
      rmdirSync(join(parent, name));
    } catch {
      left.push(join(parent, name));
    }
  }
  return left;
}

function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}
