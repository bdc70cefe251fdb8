import { resolve } from "node:path";
import { type ArtifactStore, SkillError } from "@skillwright/core";
import { fsArtifacts } from "@skillwright/repository-fs";
import { bucketPackage } from "../clients/bucket-package.js";
import type { OpenSourceOptions } from "./open-skill-source.js";
import { skillSource } from "./skill-source.js";

/**
 * Opens an artifact store: `s3://bucket/prefix` or a folder, which is created where it does not exist.
 * @throws SkillError `CONFIG_INVALID` for any other location; `UNSUPPORTED` for a bucket without `@aws-sdk/client-s3`,
 * or on a server that cannot create an object only where it is absent.
 */
export async function openArtifacts(
  text: string,
  { cwd, clients }: Pick<OpenSourceOptions, "cwd" | "clients">,
): Promise<ArtifactStore> {
  const source = skillSource(text);
  if (source.kind === "folder") return fsArtifacts({ root: resolve(cwd, source.path) });
  if (source.kind === "s3") {
    const { s3Artifacts } = await bucketPackage();
    return s3Artifacts({ client: await clients.s3(), bucket: source.bucket, prefix: source.prefix });
  }
  throw new SkillError(
    "CONFIG_INVALID",
    "Artifacts can only be stored in a folder or a bucket. Give a path or s3://bucket/prefix.",
  );
}
