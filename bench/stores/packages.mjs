import { createRequire } from "node:module";
import { root } from "../../scripts/bootstrap/root.mjs";
import { built } from "../built.mjs";

const names = ["core", "metadata-redis", "repository-fs", "repository-s3", "skillbox"];

/** The measured packages, from the build. */
export const [core, metadataRedis, repositoryFs, repositoryS3, skillbox] = await Promise.all(
  names.map(built),
);

export const aws = createRequire(`${root}/packages/repository-s3/package.json`)("@aws-sdk/client-s3");
export const { Redis } = createRequire(`${root}/packages/metadata-redis/package.json`)("ioredis");
