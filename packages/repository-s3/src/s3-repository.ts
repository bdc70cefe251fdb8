import type { VersionedSkillRepository } from "@skillwright/core";
import { spanned } from "@skillwright/core/adapter";
import { reading } from "./reading.js";
import { repositoryState } from "./repository-state.js";
import type { S3RepositoryOptions } from "./s3-repository-options.js";

/**
 * The skills in a bucket, read-only: plain folders with a SKILL.md, as a copying tool creates them, at any depth up to
 * 6, without hidden folders and `node_modules`; and skills published with `openS3Repository`, with their versions. A
 * name that was published or deleted hides plain folders of that name. A plain skill has no versions.
 *
 * `find` requests the record of the name and the keys of the skill's own folder, and lists the bucket only where the skill
 * has moved. The first listing reads SKILL.md files of plain skills, the packed heads of published skills and the records
 * that changed since; later ones request pages of keys, and read new SKILL.md files and records, recognised by their ETag. Loading a plain
 * skill reads only files as they were listed, and otherwise fails with `CONFLICT`; published files are verified against
 * their hashes while they stream, and otherwise fail with `DIGEST_MISMATCH`. Requires the permissions s3:ListBucket and
 * s3:GetObject.
 *
 * @throws SkillError `CONFIG_INVALID`, at once, for an invalid prefix. Calls: `BACKEND_FAILED` with bucket, key and
 * status; `LIMIT_EXCEEDED` for a listing that exceeds the limits or does not advance.
 */
export function s3Repository(options: S3RepositoryOptions): VersionedSkillRepository {
  return spanned("repository", reading(repositoryState(options)), { repository: "s3" });
}
