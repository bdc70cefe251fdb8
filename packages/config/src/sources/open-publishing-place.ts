import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type CallOptions,
  type Skill,
  SkillError,
  type VersionedSkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { bucketPackage } from "../clients/bucket-package.js";
import type { OpenSourceOptions } from "./open-skill-source.js";
import { skillSource } from "./skill-source.js";

/** A place to which skills are published: a folder, which keeps one version of each, or a bucket, which keeps all. */
export type PublishingPlace = WritableSkillRepository &
  Partial<Pick<VersionedSkillRepository, "versions">> & {
    /** Publishes an earlier version again, as the newest. */
    rollback?(name: string, version: string, options?: CallOptions): Promise<Skill>;
  };

/**
 * Opens the place for a source's text. A folder is created where it does not exist.
 * @throws SkillError `UNSUPPORTED` for Git and https, which have their own publishing tools, and for a server that
 * cannot create an object only where it is absent; otherwise as `openSkillSource`.
 */
export async function openPublishingPlace(
  text: string,
  { cwd, clients }: Pick<OpenSourceOptions, "cwd" | "clients">,
): Promise<PublishingPlace> {
  const source = skillSource(text);
  if (source.kind === "s3") {
    const { openS3Repository } = await bucketPackage();
    const { bucket, prefix } = source;
    return await openS3Repository({ client: await clients.s3(), bucket, prefix });
  }
  if (source.kind === "folder") {
    const root = resolve(cwd, source.path);
    await mkdir(root, { recursive: true });
    return fsRepository({ root });
  }
  const how =
    source.kind === "git" ? "commit and push with git" : "upload an archive with the site's own tools";
  throw new SkillError(
    "UNSUPPORTED",
    `Skills cannot be published to a source of kind ${source.kind}: ${how}, or give a folder or s3://bucket/prefix.`,
  );
}
