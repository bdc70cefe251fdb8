import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const NAME = ".skillwright-installed.json";

const record = z.object({ formatVersion: z.literal(1), skills: z.record(z.string(), z.string()) });

/** Records what was installed into a folder, to tell edited skills from those that may be replaced. */
export interface InstallRecord {
  /** The digest installed last, by name. */
  readonly skills: Readonly<Record<string, string>>;
}

/** Empty where there is no record, or an unreadable one: all skills in the folder then count as the user's own. */
export async function readInstallRecord(directory: string): Promise<InstallRecord> {
  const text = await readFile(join(directory, NAME), "utf8").catch(() => "{}");
  const read = record.safeParse(jsonOf(text));
  return { skills: read.success ? read.data.skills : {} };
}

/** Replaces the record atomically. */
export async function writeInstallRecord(directory: string, { skills }: InstallRecord): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(skills).sort(([one], [other]) => (one < other ? -1 : 1)));
  const written = join(directory, `${NAME}.${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(written, `${JSON.stringify({ formatVersion: 1, skills: sorted }, undefined, 2)}\n`);
    await rename(written, join(directory, NAME));
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
