import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { changeFile } from "@skillwright/repository-fs";
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
  // With a record that cannot be read, nothing is replaced.
  return recordIn(await readFile(join(directory, NAME), "utf8").catch(() => undefined));
}

/**
 * Notes the digest of an installed skill and keeps what other processes noted.
 * @param isInPlace Called under the record's lock. It returns false if another process has replaced the skill, which then notes it itself.
 */
export async function noteInstalled(
  directory: string,
  name: string,
  digest: string,
  isInPlace: () => Promise<boolean>,
): Promise<void> {
  await changeFile(join(directory, NAME), async (text) =>
    (await isInPlace()) ? recordText({ ...recordIn(text).skills, [name]: digest }) : text,
  );
}

function recordIn(text: string | undefined): InstallRecord {
  const read = record.safeParse(jsonOf(text ?? "{}"));
  return { skills: read.success ? read.data.skills : {} };
}

function recordText(skills: InstallRecord["skills"]): string {
  const sorted = Object.fromEntries(Object.entries(skills).sort(([one], [other]) => (one < other ? -1 : 1)));
  return `${JSON.stringify({ formatVersion: 1, skills: sorted }, undefined, 2)}\n`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
