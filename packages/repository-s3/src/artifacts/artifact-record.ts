import { type ArtifactVersion, type CallOptions, readText, SkillError } from "@skillwright/core";
import type { Bucket } from "../bucket/bucket.js";

/** Creating this record creates the version; content without a record belongs to no version. Never written twice. */
export interface ArtifactRecord {
  readonly formatVersion: 1;
  readonly name: string;
  readonly size: number;
  readonly mimeType: string;
  readonly sha256: string;
  readonly createdAt: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The key of the bytes, below the prefix of all content. */
  readonly content: string;
}

const MAX_RECORD_BYTES = 1024 * 1024;

/** Serializes the record. @throws SkillError `LIMIT_EXCEEDED` for metadata that make it larger than 1 MiB. */
export function recordBytes(record: ArtifactRecord): Uint8Array {
  const bytes = Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`);
  if (bytes.byteLength <= MAX_RECORD_BYTES) return bytes;
  const message = `The metadata of "${record.name}" is too large: a record has at most ${MAX_RECORD_BYTES} bytes. Give less metadata.`;
  throw new SkillError("LIMIT_EXCEEDED", message, { details: { limit: MAX_RECORD_BYTES } });
}

/**
 * Reads the record with that key; `undefined` when it was deleted meanwhile.
 * @throws SkillError `BACKEND_FAILED` for one that this release cannot read.
 */
export async function readRecord(
  bucket: Bucket,
  key: string,
  options: CallOptions,
): Promise<ArtifactRecord | undefined> {
  const object = await bucket.get(key, options);
  if (!object) return undefined;
  const text = await readText(object.content, MAX_RECORD_BYTES);
  try {
    const record = JSON.parse(text) as ArtifactRecord;
    if (record.formatVersion === 1 && typeof record.name === "string" && typeof record.content === "string")
      return record;
  } catch {
    // Reported below, like any other unreadable record.
  }
  const message = `The record "${key}" in the bucket "${bucket.name}" is damaged or from a later release. Restore it, or remove it.`;
  throw new SkillError("BACKEND_FAILED", message, { details: { bucket: bucket.name, key } });
}

/** The public form of a record. */
export function asVersion(
  { name, size, mimeType, sha256, createdAt, metadata, content }: ArtifactRecord,
  version: number,
  place: { readonly bucket: string; readonly allContent: string },
): ArtifactVersion {
  const location = `s3://${place.bucket}/${place.allContent}${content}`;
  return { name, version, size, mimeType, sha256, createdAt, location, metadata };
}
