import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "@skillwright/core";
import { repairCommand } from "./repair-command.js";

export interface StagedRecord {
  readonly digest: string;
  /** Mounted from there while a command runs. Missing where the files were copied into the tree. */
  readonly directory?: string;
  /** True where commands may write to the copy. */
  readonly writable?: boolean;
}

/** What is recorded about a workspace beside its tree, out of the commands' reach. */
export interface LocalWorkspaceRecord {
  readonly formatVersion: 1;
  readonly id: string;
  /** ISO 8601 time. */
  readonly createdAt: string;
  /** Keyed by the skill's name. */
  readonly staged: Readonly<Record<string, StagedRecord>>;
  /** Notes by key. */
  readonly notes?: Readonly<Record<string, string>>;
}

/**
 * Read on each use, because another process may have staged a skill; synchronous, because it has only a few hundred
 * bytes. `undefined` where there is no workspace.
 * @throws SkillError `WORKSPACE_DAMAGED` for a directory whose record is missing or cannot be read.
 */
export function readRecord(directory: string): LocalWorkspaceRecord | undefined {
  let seen: string | undefined;
  for (;;) {
    const text = readText(directory);
    if (text !== undefined) return checked(directory, text);
    const now = identityOf(directory);
    if (now === undefined) return undefined;
    // Another process may remove or recreate the workspace between two looks: only one directory without a record is damaged.
    if (now === seen) return checked(directory, undefined);
    seen = now;
  }
}

function readText(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, "record.json"), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(code ?? "")) return undefined;
    throw SkillError.from(error, `Reading the record of ${directory}`);
  }
}

function checked(directory: string, text: string | undefined): LocalWorkspaceRecord {
  const record = parsed(text);
  if (record === undefined) throw damaged(directory, text === undefined ? "is missing" : "is no JSON object");
  if (typeof record.formatVersion === "number" && record.formatVersion > 1)
    throw new SkillError(
      "WORKSPACE_DAMAGED",
      `The workspace in ${directory} has format ${record.formatVersion}, and this version reads format 1. Use the version ` +
        "of @skillwright/runtime-local that created it, or destroy it.",
      { details: { workspaceId: basename(directory), formatVersion: record.formatVersion } },
    );
  const { formatVersion, id, createdAt, staged, notes = {} } = record;
  if (formatVersion !== 1 || typeof id !== "string" || typeof createdAt !== "string")
    throw damaged(directory, "lacks a field");
  if (!isObject(notes) || !isObject(staged) || !Object.values(staged).every(isStaged))
    throw damaged(directory, "has a field of another kind");
  return record as LocalWorkspaceRecord;
}

function parsed(text: string | undefined): Partial<LocalWorkspaceRecord> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStaged(value: unknown): boolean {
  return isObject(value) && "digest" in value && typeof value.digest === "string";
}

/** Tells a directory from one that takes its place; `undefined` where there is none. */
export function identityOf(directory: string): string | undefined {
  const found = lstatSync(directory, { bigint: true, throwIfNoEntry: false });
  return found?.isDirectory() ? `${found.dev} ${found.ino} ${found.birthtimeNs}` : undefined;
}

function damaged(directory: string, why: string): SkillError {
  const workspaceId = basename(directory);
  return new SkillError(
    "WORKSPACE_DAMAGED",
    `The record of the workspace ${workspaceId} (${join(directory, "record.json")}) ${why}. Repair it with ` +
      `\`${repairCommand(dirname(directory), workspaceId)}\` or with repair("${workspaceId}") of the workspace manager; ` +
      `destroy("${workspaceId}") removes the workspace.`,
    { details: { workspaceId } },
  );
}

/** Atomic: a reader sees the old record or the new one. */
export function writeRecord(directory: string, record: LocalWorkspaceRecord): void {
  const fresh = join(directory, `record.${randomBytes(6).toString("hex")}`);
  writeFileSync(fresh, `${JSON.stringify(record, undefined, 2)}\n`, { flag: "wx" });
  renameSync(fresh, join(directory, "record.json"));
}
