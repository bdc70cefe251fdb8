import { spanned, type VersionedSkillRepository } from "@skillwright/core";
import { reading } from "./reading.js";
import { repositoryState } from "./repository-state.js";
import type { S3RepositoryOptions } from "./s3-repository-options.js";

/**
 * The skills in a bucket, read only: plain folders with a SKILL.md, as a copying tool makes them, at any depth up to 6 and
 * without hidden folders and `node_modules`; and what `openS3Repository` published, with its versions. What was published
 * or deleted under a name hides plain folders of that name. A plain skill has no versions.
 *
 * A listing asks for pages of keys, and reads the SKILL.md files and records that are new by their ETag. A load of a plain
 * skill reads files that were listed and no others, else it ends with `CONFLICT`; published files are held against their
 * hashes while they stream, else they end with `DIGEST_MISMATCH`. Needs the rights s3:ListBucket and s3:GetObject.
 *
 * @throws SkillError `CONFIG_INVALID`, at once, for a prefix that is no path. Calls: `BACKEND_FAILED` with bucket, key and
 *   status; `LIMIT_EXCEEDED` for a listing beyond the limits, or one that does not move on.
 */
export function s3Repository(options: S3RepositoryOptions): VersionedSkillRepository {
  return spanned("repository", reading(repositoryState(options)), { repository: "s3" });
}
