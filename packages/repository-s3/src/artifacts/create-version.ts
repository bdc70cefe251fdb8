import { setTimeout as delay } from "node:timers/promises";
import { type ArtifactVersion, type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { Creation } from "../bucket/creation.js";
import { isVersion, versionFile } from "./artifact-keys.js";
import { type ArtifactRecord, asVersion, recordBytes } from "./artifact-record.js";
import { newestRecord } from "./newest-records.js";

const MAX_WAIT_MS = 200;

export interface VersionPlace {
  readonly bucket: Bucket;
  readonly creation: Creation;
  /** Prefix of the artifact's records. */
  readonly folder: string;
  readonly allContent: string;
}

/**
 * Turns stored content into the next version by creating its record under an unused number. If another writer was
 * faster, the next number is tried, so one of all concurrent writers succeeds each time.
 */
export async function createVersion(
  { bucket, creation, folder, allContent }: VersionPlace,
  described: Omit<ArtifactRecord, "formatVersion" | "createdAt">,
  { signal }: CallOptions,
): Promise<ArtifactVersion> {
  return await creation.exclusively(folder, { signal }, async () => {
    for (let attempt = 0; ; attempt++) {
      const { version, serverTime } = await newestRecord(bucket, folder, { signal });
      const next = version + 1;
      if (!isVersion(next)) throw full(described.name);
      const createdAt = new Date(serverTime).toISOString();
      const record: ArtifactRecord = { formatVersion: 1, ...described, createdAt };
      const options = { signal, contentType: "application/json" };
      if (await creation.create(folder + versionFile(next), recordBytes(record), options))
        return asVersion(record, next, { bucket: bucket.name, allContent });
      checkAborted(signal);
      await untilAborted(delay(Math.random() * Math.min(2 ** attempt, MAX_WAIT_MS)), signal);
    }
  });
}

function full(name: string): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The artifact "${name}" has reached the highest version number. Save it under another name.`,
  );
}
