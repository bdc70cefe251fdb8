import type { S3Client } from "@aws-sdk/client-s3";
import type { SkillAmounts, SkillRuleOptions } from "@skillwright/core";
import type { BucketLimits } from "./bucket/bucket.js";

export interface S3RepositoryOptions extends Pick<SkillRuleOptions, "leaveOut"> {
  /** The caller's own; closing the repository does not close it. Its region, endpoint, credentials and retries are kept. */
  readonly client: S3Client;
  readonly bucket: string;
  /** The folder in the bucket below which skills are looked for, such as `team/skills`; all of the bucket by default. */
  readonly prefix?: string | undefined;
  readonly limits?: S3RepositoryLimits | undefined;
}

export interface S3RepositoryLimits extends BucketLimits, SkillAmounts {
  /** How many folders below the prefix a skill may be; 6 by default. */
  readonly depth?: number | undefined;
}
