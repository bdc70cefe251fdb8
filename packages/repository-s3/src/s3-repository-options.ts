import type { S3Client } from "@aws-sdk/client-s3";
import type { SkillAmounts, SkillRuleOptions } from "@skillwright/core/adapter";
import type { BucketLimits } from "./bucket/bucket.js";

export interface S3RepositoryOptions extends Pick<SkillRuleOptions, "leaveOut"> {
  /**
   * Belongs to the caller; closing the repository does not close it. Its region, endpoint, credentials and retries are
   * used unchanged.
   */
  readonly client: S3Client;
  readonly bucket: string;
  /** The folder in the bucket below which skills are searched, such as `team/skills`. Defaults to the whole bucket. */
  readonly prefix?: string | undefined;
  readonly limits?: S3RepositoryLimits | undefined;
}

export interface S3RepositoryLimits extends BucketLimits, SkillAmounts {
  /** Maximum depth of a skill below the prefix. Defaults to 6. */
  readonly depth?: number | undefined;
}
