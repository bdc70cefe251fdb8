import { randomUUID } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import {
  type ArtifactScope,
  type ArtifactStore,
  type ArtifactVersion,
  type ByteStream,
  type CallOptions,
  containedPath,
  SkillError,
} from "@skillwright/core";
import { checkAborted, checkArtifactScope, forEachLimited, untilAborted } from "@skillwright/core/adapter";
import { type BucketLimits, s3Bucket } from "../bucket/bucket.js";
import { type BucketLock, type Creation, objectCreation } from "../bucket/creation.js";
import {
  artifactFolder,
  artifactKeys,
  isVersion,
  scopeFolder,
  versionFile,
  versionOf,
} from "./artifact-keys.js";
import { asVersion, readRecord } from "./artifact-record.js";
import { type CleanUpOptions, cleanUpArtifacts, type RemovedLeftovers } from "./clean-up.js";
import { createVersion } from "./create-version.js";
import { newestRecord, recordKeys } from "./newest-records.js";
import { removeVersions } from "./remove-versions.js";
import { uploadContent } from "./upload-content.js";

const OPEN_ATTEMPTS = 5;

export interface S3ArtifactsOptions {
  /** Belongs to the caller; it is not closed. */
  readonly client: S3Client;
  readonly bucket: string;
  /** Prefix of all keys, such as `team`; defaults to none. It may be the prefix of a skill repository. */
  readonly prefix?: string | undefined;
  /** Held during the last step of a save, for servers that ignore `If-None-Match: *`. */
  readonly lock?: BucketLock | undefined;
  readonly limits?: BucketLimits | undefined;
}

export interface S3Artifacts extends ArtifactStore {
  /** Removes what killed processes left behind: content without a version, unfinished uploads. */
  cleanUp(options?: CleanUpOptions): Promise<RemovedLeftovers>;
}

/**
 * Stores artifacts in a bucket, for any number of concurrent processes. Content is uploaded to its own key while it is
 * hashed; then a record is created under the next number, only if there is none. The version exists from that moment
 * and never changes. A save sends three requests, or the parts of a large file and three more; the first save of a
 * store sends up to two more to test whether the server supports `If-None-Match: *`, and fails with `UNSUPPORTED` where
 * it does not and no lock was passed in. A version's `location` is `s3://bucket/key`.
 */
export function s3Artifacts({
  client,
  bucket: name,
  prefix = "",
  lock,
  limits,
}: S3ArtifactsOptions): S3Artifacts {
  const bucket = s3Bucket({ client, bucket: name, limits });
  const keys = artifactKeys(prefix);
  const place = { bucket: name, allContent: keys.allContent };
  let asked: Promise<Creation> | undefined;

  const save: ArtifactStore["save"] = async (scope, artifact, content, options = {}) => {
    const { signal, mimeType = "application/octet-stream", metadata = {} } = options;
    checkAborted(signal);
    const folder = artifactFolder(checkArtifactScope(scope), containedPath(artifact));
    // Copied before the first await, because it belongs to the caller.
    const described = { name: artifact, mimeType, metadata: { ...metadata }, content: folder + randomUUID() };
    const creation = await howToCreate(signal);
    const key = keys.allContent + described.content;
    const contentType = contentTypeOf(mimeType);
    const uploaded = await uploadContent({ client, bucket: name, key, contentType, signal }, content);
    const versions = { bucket, creation, folder: keys.allRecords + folder, allContent: keys.allContent };
    return await createVersion(versions, { ...described, ...uploaded }, { signal });
  };

  const open: ArtifactStore["open"] = async (scope, artifact, { signal, version } = {}) => {
    checkAborted(signal);
    const folder = keys.allRecords + artifactFolder(checkArtifactScope(scope), artifact);
    for (let attempt = 1; ; attempt++) {
      const wanted = version ?? (await newestRecord(bucket, folder, { signal })).version;
      const key = isVersion(wanted) ? folder + versionFile(wanted) : undefined;
      const record = key === undefined ? undefined : await readRecord(bucket, key, { signal });
      if (record) {
        const missing = (): SkillError => notFound(artifact, version);
        return {
          artifact: asVersion(record, wanted, place),
          content: contentOf(keys.allContent + record.content, record.size, missing, signal),
        };
      }
      // The newest version was deleted after it was listed; one saved since may exist.
      const isOver = version !== undefined || key === undefined || attempt === OPEN_ATTEMPTS;
      if (isOver) throw notFound(artifact, version);
    }
  };

  /** Requested with its first piece: an unread stream holds no connection. */
  async function* contentOf(
    key: string,
    size: number,
    missing: () => SkillError,
    signal: AbortSignal | undefined,
  ): ByteStream {
    const object = await bucket.get(key, { signal, listedSize: size });
    if (!object) throw missing();
    yield* object.content;
  }

  const list = async (
    scope: ArtifactScope,
    { signal }: CallOptions = {},
  ): Promise<readonly ArtifactVersion[]> => {
    checkAborted(signal);
    const all = await recordKeys(bucket, keys.allRecords + scopeFolder(checkArtifactScope(scope)), {
      signal,
    });
    const newest = all.filter((key, index) => folderOf(key) !== folderOf(all[index - 1] ?? ""));
    const found = await versionsOf(newest, signal);
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  const versions: ArtifactStore["versions"] = async (scope, artifact, { signal } = {}) => {
    checkAborted(signal);
    const folder = artifactFolder(checkArtifactScope(scope), artifact);
    const found = await versionsOf(await recordKeys(bucket, keys.allRecords + folder, { signal }), signal);
    return found.sort((a, b) => a.version - b.version);
  };

  const remove: ArtifactStore["delete"] = async (scope, artifact, { signal } = {}) => {
    checkAborted(signal);
    const folder = artifactFolder(checkArtifactScope(scope), artifact);
    return await removeVersions(bucket, keys, folder, { signal });
  };

  const cleanUp: S3Artifacts["cleanUp"] = (options = {}) =>
    cleanUpArtifacts({ client, bucket, keys }, options);

  async function close(): Promise<void> {}

  return { save, open, list, versions, delete: remove, cleanUp, close, [Symbol.asyncDispose]: close };

  /** Determined once for all saves, without using the first caller's signal. */
  async function howToCreate(signal: AbortSignal | undefined): Promise<Creation> {
    asked ??= objectCreation(bucket, { probe: keys.probe, lock }).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return await untilAborted(asked, signal);
  }

  async function versionsOf(
    records: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<ArtifactVersion[]> {
    const found: ArtifactVersion[] = [];
    await forEachLimited(records, bucket.parallel, async (key) => {
      const record = await readRecord(bucket, key, { signal });
      if (record) found.push(asVersion(record, versionOf(key) ?? 0, place));
    });
    return found;
  }
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

/** A value that no header can contain is stored only in the record. */
function contentTypeOf(mimeType: string): string {
  return /^[\w.+-]+\/[\x20-\x7e]{1,200}$/.test(mimeType) ? mimeType : "application/octet-stream";
}

function notFound(name: string, version: number | undefined): SkillError {
  const what = version === undefined ? `artifact "${name}"` : `version ${version} of the artifact "${name}"`;
  return new SkillError(
    "ARTIFACT_NOT_FOUND",
    `There is no ${what}. List the artifacts to see the existing ones.`,
  );
}
