import { join } from "node:path";
import { isRoot } from "../host/credentials.js";
import {
  CONTROLLERS,
  controllersIn,
  type OwnGroups,
  type UnifiedGroup,
} from "./control-group-hierarchies.js";
import type { GroupParents } from "./control-groups.js";
import { divideGroup, isWritable } from "./divide-group.js";
import { VERSION_1, VERSION_2 } from "./group-versions.js";
import { type NoGroups, notDelegated, notMounted, notPassedOn, onlyRoot } from "./no-groups.js";
import { type Systemd, type Unit, unitOf } from "./systemd-units.js";

/** Where groups for runs can be created. */
export type FoundParents =
  | { readonly parents: GroupParents; readonly missing?: NoGroups | undefined }
  /** The groups go below a new scope of systemd, which is created together with a process. */
  | { readonly scope: { readonly runner: string; readonly slice: string | undefined } }
  | { readonly missing: NoGroups };

/**
 * Chooses the parent of the runs' groups: this process's own group if it was delegated or no systemd manages it, otherwise a new
 * scope. Processes of a delegated group are moved into a group below it.
 */
export async function findGroupParents(
  { separate, unified }: OwnGroups,
  systemd: Systemd,
): Promise<FoundParents> {
  if (!unified) {
    if (separate.size === 0) return { missing: notMounted };
    return isRoot() ? { parents: { version: VERSION_1, of: separate } } : { missing: onlyRoot };
  }
  const own = join(unified.mountPoint, unified.name);
  if (!systemd.isRunning()) return parentsBelow(undivided(unified));
  const unit = unitOf(unified);
  if (unit && (await isDelegated(unit, systemd))) return parentsBelow(unit.directory);
  const runner = await systemd.runner();
  if (runner === undefined) return { missing: notDelegated(own) };
  return { scope: { runner, slice: isRoot() === (unit?.managerOf === undefined) ? unit?.slice : undefined } };
}

/** Divides the group, so that those of runs can be created below it. */
export function parentsBelow(
  group: string,
): { parents: GroupParents; missing: NoGroups | undefined } | { missing: NoGroups } {
  if (!isWritable(group)) return { missing: notDelegated(group) };
  const available = controllersIn(group, "cgroup.controllers");
  if (available.length === 0) return { missing: notPassedOn(group, CONTROLLERS, available) };
  try {
    const passed = divideGroup(group);
    const left = CONTROLLERS.filter((controller) => !passed.includes(controller));
    const missing = left.length > 0 ? notPassedOn(group, left, available) : undefined;
    if (missing && passed.length === 0) return { missing };
    const of = new Map(passed.map((controller) => [controller, group] as const));
    return { parents: { version: VERSION_2, of }, missing };
  } catch (error) {
    return { missing: notDelegated(group, (error as NodeJS.ErrnoException).code) };
  }
}

/** The group itself, or its parent if an earlier process has divided the parent. */
function undivided({ mountPoint, name }: UnifiedGroup): string {
  return join(mountPoint, name.replace(/\/host$/, ""));
}

/** An ordinary user owns a group of the machine's manager only if it was delegated, and owns all groups of the user's own manager. */
async function isDelegated(unit: Unit, systemd: Systemd): Promise<boolean> {
  const { managerOf } = unit;
  if (!isWritable(unit.directory)) return false;
  if (isRoot()) return managerOf === undefined && (await systemd.delegates(unit));
  return managerOf === undefined || (await systemd.delegates(unit));
}
