import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import { repairCommand } from "../storage/repair-command.js";

const SUFFIX = ".json";

/** A file name for the id. Ids that a file system might confuse are hashed. */
export function registryKey(workspaceId: string): string {
  if (/^[a-z0-9_-]+$/.test(workspaceId)) return workspaceId;
  return `~${createHash("sha256").update(workspaceId).digest("hex").slice(0, 32)}`;
}

/**
 * Reads the record of that id, synchronously, because it has only a few hundred bytes. The last use is the file's
 * modification time, so that a touch is one call and needs no lock. @throws SkillError `WORKSPACE_DAMAGED`.
 */
export function readEntry(directory: string, workspaceId: string): WorkspaceRecord | undefined {
  const file = fileOf(directory, workspaceId);
  const found = readStored(file);
  if (found === "damaged") throw damaged(workspaceId, file);
  return found;
}

/** Replaces the record atomically. */
export function writeEntry(directory: string, { lastUsedAt, ...record }: WorkspaceRecord): void {
  const fresh = join(directory, `.new-${randomBytes(12).toString("hex")}`);
  const used = new Date(lastUsedAt);
  try {
    writeFileSync(fresh, `${JSON.stringify(record)}\n`, { flag: "wx", mode: 0o600 });
    utimesSync(fresh, used, used);
    renameSync(fresh, fileOf(directory, record.workspaceId));
  } catch (error) {
    ignoringGone(() => unlinkSync(fresh));
    throw error;
  }
}

export function touchEntry(directory: string, workspaceId: string): void {
  const now = new Date();
  ignoringGone(() => utimesSync(fileOf(directory, workspaceId), now, now));
}

/** Returns `true` to exactly one of several callers. */
export function removeEntry(directory: string, workspaceId: string): boolean {
  return ignoringGone(() => unlinkSync(fileOf(directory, workspaceId)));
}

/** Sorted by id, without damaged records, which `readEntry` reports. */
export function listEntries(directory: string): readonly WorkspaceRecord[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(SUFFIX) && !name.startsWith("."));
  const records = names.flatMap((name) => {
    const found = readStored(join(directory, name));
    return found === undefined || found === "damaged" ? [] : [found];
  });
  return records.sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
}

function fileOf(directory: string, workspaceId: string): string {
  return join(directory, `${registryKey(workspaceId)}${SUFFIX}`);
}

function readStored(file: string): WorkspaceRecord | "damaged" | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  try {
    const stored = JSON.parse(readFileSync(descriptor, "utf8"));
    if (stored?.formatVersion !== 1 || typeof stored.workspaceId !== "string") return "damaged";
    // The file's time has fractions of milliseconds, which a date cannot store.
    const lastUsedAt = new Date(Math.round(fstatSync(descriptor).mtimeMs)).toISOString();
    return { ...stored, lastUsedAt };
  } catch {
    return "damaged";
  } finally {
    closeSync(descriptor);
  }
}

function damaged(workspaceId: string, file: string): SkillError {
  // The registry is at `<root>/.skillwright/registry`.
  const root = dirname(dirname(dirname(file)));
  return new SkillError(
    "WORKSPACE_DAMAGED",
    `The registered record of the workspace ${workspaceId} in ${file} cannot be read. Repair it with ` +
      `\`${repairCommand(root, workspaceId)}\` or with repair("${workspaceId}") of the workspace manager.`,
    { details: { workspaceId } },
  );
}

function ignoringGone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
