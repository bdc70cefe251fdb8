import type {
  CallOptions,
  Skill,
  VersionedSkillRepository,
  WritableSkillRepository,
} from "@skillwright/core";
import { attempts, checkAborted, spanned } from "@skillwright/core/adapter";
import { type BucketLock, objectCreation } from "./bucket/creation.js";
import { type CleanUpResult, cleanUp } from "./publishing/clean-up.js";
import { collectUpload } from "./publishing/collect-upload.js";
import { publish } from "./publishing/publish.js";
import { deleteSkill, purgeSkill } from "./publishing/remove-skill.js";
import { rollBack } from "./publishing/roll-back.js";
import { reading } from "./reading.js";
import { repositoryState } from "./repository-state.js";
import type { S3RepositoryOptions } from "./s3-repository-options.js";

export interface OpenS3RepositoryOptions extends S3RepositoryOptions, CallOptions {
  /**
   * Held during every change of a skill, under the skill's name, and under `.heads` while packed heads are written. Needed only where the server ignores `If-None-Match`.
   */
  readonly lock?: BucketLock | undefined;
}

export interface CleanUpOptions extends CallOptions {
  /**
   * Minimum age of leftovers, by the server's clock. Defaults to one day. It must exceed the duration of the longest
   * publish.
   */
  readonly olderThanMs?: number | undefined;
}

/** A bucket to which skills can be published. */
export interface WritableS3Repository extends VersionedSkillRepository, WritableSkillRepository {
  /**
   * Makes an old version, given by number or digest, the newest one again, as a new version.
   * @throws SkillError `SKILL_NOT_FOUND`.
   */
  rollback(name: string, version: string, options?: CallOptions): Promise<Skill>;

  /**
   * Removes the skill with all its versions; plain folders of its name become visible again. Returns `false` when there
   * was nothing.
   */
  purge(name: string, options?: CallOptions): Promise<boolean>;

  /**
   * Removes what killed publishes, purges and multipart uploads of this package left behind, and packs the heads of all
   * records anew.
   */
  cleanUp(options?: CleanUpOptions): Promise<CleanUpResult>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Opens a bucket for reading like `s3Repository`, and for publishing. An upload writes its files under new keys and
 * then one record, which is created only where there is none: from that moment readers see the new version, before it
 * the old one, whenever the writer is killed. Of two concurrent writers, the second retries after the first. Versions
 * count from 1; `delete` keeps them. An upload equal to the newest version creates no new one. An upload is held in
 * memory, at most 16 MiB. Also requires s3:PutObject and s3:DeleteObject.
 *
 * @throws SkillError `UNSUPPORTED` where the server ignores `If-None-Match: *`, which is tested with a separate object,
 * and no lock is passed in; `CONFIG_INVALID`; `BACKEND_FAILED`. Changes: `CONFLICT` when concurrent changes always win.
 */
export async function openS3Repository(options: OpenS3RepositoryOptions): Promise<WritableS3Repository> {
  const { client, lock, signal: openSignal } = options;
  const state = repositoryState(options);
  const creation = await objectCreation(state.bucket, {
    probe: state.layout.probe,
    lock,
    signal: openSignal,
  });
  const attempt = attempts(state.label);

  const upload: WritableS3Repository["upload"] = async (files, { existing = "replace", signal } = {}) => {
    checkAborted(signal);
    const collected = await collectUpload(files, { rules: state.rules, signal });
    const { name } = collected.skill;
    return await attempt(`Publishing "${name}"`, signal, () =>
      publish({ state, creation, name, signal }, collected, existing),
    );
  };

  const remove: WritableS3Repository["delete"] = (name, { signal } = {}) =>
    attempt(`Deleting "${name}"`, signal, () => deleteSkill({ state, creation, name, signal }));

  const rollback: WritableS3Repository["rollback"] = (name, version, { signal } = {}) =>
    attempt(`Rolling back "${name}"`, signal, () => rollBack({ state, creation, name, signal }, version));

  const purge: WritableS3Repository["purge"] = (name, { signal } = {}) =>
    attempt(`Purging "${name}"`, signal, () => purgeSkill({ state, creation, name, signal }));

  const clean: WritableS3Repository["cleanUp"] = ({ signal, olderThanMs = DAY_MS } = {}) =>
    attempt("Cleaning up", signal, () => cleanUp(state, { client, creation }, { olderThanMs, signal }));

  const repository = { ...reading(state), upload, delete: remove, rollback, purge, cleanUp: clean };
  return spanned("repository", repository, { repository: "s3" });
}
