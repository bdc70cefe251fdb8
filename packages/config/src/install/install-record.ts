import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const NAME = ".skillwright-installed.json";

const record = z.object({ formatVersion: z.literal(1), skills: z.record(z.string(), z.string()) });

/** What was installed into a folder, so that what somebody edited since is told from what may be replaced. */
export interface InstallRecord {
  /** The digest that was installed last, by name. */
  readonly skills: Readonly<Record<string, string>>;
}

/** Nothing where there is no record, or one that cannot be read: then everything there counts as somebody's own. */
export async function readInstallRecord(directory: string): Promise<InstallRecord> {
  const text = await readFile(join(directory, NAME), "utf8").catch(() => "{}");
  const read = record.safeParse(jsonOf(text));
  return { skills: read.success ? read.data.skills : {} };
}

/** Replaces the record in one step. */
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
