import { SkillError } from "@skillwright/core";

/**
 * Imports packages that are installed only where they are needed.
 * @param names All packages that the purpose needs, as arguments of `npm install`.
 * @throws SkillError `UNSUPPORTED` with the remedy where one is not installed.
 */
export async function importPeer<Module>(
  names: string,
  purpose: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new SkillError(
      "UNSUPPORTED",
      `${purpose} needs packages that are not installed: npm install ${names}`,
      {
        cause: error,
      },
    );
  }
}

/** Packages needed for buckets. */
export const BUCKET_PACKAGES = "@skillwright/repository-s3 @aws-sdk/client-s3";

/** Packages needed for records in Redis. */
export const REDIS_PACKAGES = "@skillwright/metadata-redis ioredis";
