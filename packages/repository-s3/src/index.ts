export type { RemovedLeftovers } from "./artifacts/clean-up.js";
export { type S3Artifacts, type S3ArtifactsOptions, s3Artifacts } from "./artifacts/s3-artifacts.js";
export type { BucketLimits } from "./bucket/bucket.js";
export type { BucketLock } from "./bucket/creation.js";
export {
  type CleanUpOptions,
  type OpenS3RepositoryOptions,
  openS3Repository,
  type WritableS3Repository,
} from "./open-s3-repository.js";
export type { CleanUpResult } from "./publishing/clean-up.js";
export { s3Repository } from "./s3-repository.js";
export type { S3RepositoryLimits, S3RepositoryOptions } from "./s3-repository-options.js";
