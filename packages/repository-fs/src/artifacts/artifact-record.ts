import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArtifactVersion } from "@skillwright/core";
import { ignoreGone } from "../files/errno.js";
import { OWN_PREFIX } from "../files/own-names.js";
import { storedRecord } from "../files/stored-record.js";
import { contentFile } from "./artifact-path.js";

/** Stored beside the bytes of a version. The version's number is the directory's name. */
export interface ArtifactRecord {
  readonly formatVersion: 1;
  readonly name: string;
  readonly size: number;
  readonly mimeType: string;
  readonly sha256: string;
  readonly createdAt: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Begins with a dot, so that a person sees only the artifact in its directory. */
export const RECORD_FILE = `${OWN_PREFIX}artifact.json`;

/**
 * Reads the version in that directory; `undefined` when it was deleted meanwhile.
 * @throws SkillError `BACKEND_FAILED` for a record that this release cannot read.
 */
export async function readVersion(folder: string, version: number): Promise<ArtifactVersion | undefined> {
  const file = join(folder, `v${version}`, RECORD_FILE);
  const text = await readFile(file, "utf8").catch(ignoreGone);
  if (text === undefined) return undefined;
  const record = storedRecord<ArtifactRecord>(text, file, "name");
  return asVersion(record, folder, version);
}

export function asVersion(record: ArtifactRecord, folder: string, version: number): ArtifactVersion {
  const { name, size, mimeType, sha256, createdAt, metadata } = record;
  const location = join(folder, `v${version}`, contentFile(name));
  return { name, version, size, mimeType, sha256, createdAt, location, metadata };
}
