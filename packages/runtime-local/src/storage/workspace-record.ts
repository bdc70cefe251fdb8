import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";

export interface StagedRecord {
  readonly digest: string;
  /** Shown from there while a command runs; missing where the files were copied into the tree. */
  readonly directory?: string;
}

/** What a workspace remembers beside its tree, out of the commands' reach. */
export interface LocalWorkspaceRecord {
  readonly formatVersion: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** By the skill's name. */
  readonly staged: Readonly<Record<string, StagedRecord>>;
  /** By key. */
  readonly notes?: Readonly<Record<string, string>>;
}

/**
 * Read at each use, because another process may have staged something; at once, because it is a few hundred bytes.
 * `undefined` where there is no workspace.
 */
export function readRecord(directory: string): LocalWorkspaceRecord | undefined {
  let text: string;
  try {
    text = readFileSync(join(directory, "record.json"), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw SkillError.from(error, `Reading the record of ${directory}`);
  }
  const record = parsed(directory, text);
  if (record.formatVersion === 1) return record;
  throw new SkillError(
    "BACKEND_FAILED",
    `The workspace in ${directory} has format ${record.formatVersion}, and this version reads format 1. Use the version ` +
      "of @skillwright/runtime-local that made it, or destroy it.",
  );
}

function parsed(directory: string, text: string): LocalWorkspaceRecord {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw SkillError.from(error, `Reading the record of ${directory}`);
  }
}

/** In one step: a reader sees the old record or the new one. */
export async function writeRecord(directory: string, record: LocalWorkspaceRecord): Promise<void> {
  const fresh = join(directory, `record.${randomBytes(6).toString("hex")}`);
  await writeFile(fresh, `${JSON.stringify(record, undefined, 2)}\n`, { flag: "wx" });
  await rename(fresh, join(directory, "record.json"));
}
