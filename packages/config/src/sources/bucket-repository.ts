import type { S3Client } from "@aws-sdk/client-s3";
import type { VersionedSkillRepository } from "@skillwright/core";

/** Loaded when a bucket is named: where there is none, the SDK need not be installed. */
export async function bucketRepository(
  client: S3Client,
  bucket: string,
  prefix: string,
): Promise<VersionedSkillRepository> {
  const { s3Repository } = await import("@skillwright/repository-s3");
  return s3Repository({ client, bucket, prefix });
}
