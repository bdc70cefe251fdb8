import type { S3Client } from "@aws-sdk/client-s3";
import type { VersionedSkillRepository } from "@skillwright/core";
import { bucketPackage } from "../clients/bucket-package.js";

export async function bucketRepository(
  client: S3Client,
  bucket: string,
  prefix: string,
): Promise<VersionedSkillRepository> {
  const { s3Repository } = await bucketPackage();
  return s3Repository({ client, bucket, prefix });
}
