import { mkdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type CallOptions,
  type Skill,
  SkillError,
  type VersionedSkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { fsRepository } from "@skillwright/repository-fs";
import type { HttpRegistry } from "@skillwright/repository-http";
import { bucketPackage } from "../clients/bucket-package.js";
import { httpRegistrySource } from "./http-registry-source.js";
import { databaseRepository, isDatabase } from "./open-database.js";
import type { OpenSourceOptions } from "./open-skill-source.js";
import { skillSource } from "./skill-source.js";
import { withRollback } from "./with-rollback.js";

/** A place to which skills are published: a bucket, database or registry, which keeps all versions, or a folder, which keeps the latest. */
export type PublishingPlace = WritableSkillRepository &
  VersionedSkillRepository &
  Partial<Pick<HttpRegistry, "labels" | "setLabel">> & {
    /** Publishes an earlier version again, as the newest. */
    rollback(name: string, version: string, options?: CallOptions): Promise<Skill>;
  };

/**
 * Opens the place for a source's text. With `create`, which is the default, a folder or a SQLite file is created where it does not exist.
 * An https address must be that of a registry, as `registryHandler` of `@skillwright/repository-http` serves it.
 * @throws SkillError `FILE_NOT_FOUND` for a missing folder or file without `create`; `UNSUPPORTED` for Git, which has its own publishing tools, for an archive and an MCP server, and for a server that cannot create an
 * object only where it is absent; otherwise as `openSkillSource`.
 */
export async function openPublishingPlace(
  text: string,
  { cwd, clients, create = true }: Pick<OpenSourceOptions, "cwd" | "clients"> & { readonly create?: boolean },
): Promise<PublishingPlace> {
  const source = skillSource(text);
  const isFile = source.kind === "folder" || source.kind === "sqlite";
  if (!create && isFile) await mustExist(resolve(cwd, source.path));
  if (source.kind === "s3") {
    const { openS3Repository } = await bucketPackage();
    const { bucket, prefix } = source;
    return await openS3Repository({ client: await clients.s3(), bucket, prefix });
  }
  if (source.kind === "folder") {
    const root = resolve(cwd, source.path);
    if (create) await mkdir(root, { recursive: true });
    return withRollback(fsRepository({ root }));
  }
  if (source.kind === "http" || source.kind === "registry")
    return withRollback(await httpRegistrySource(source.url, clients));
  if (isDatabase(source)) return withRollback(await databaseRepository(source, { cwd, clients }, create));
  if (source.kind === "archive")
    throw new SkillError(
      "UNSUPPORTED",
      `Skills cannot be published to the archive ${source.path}: write it with "skillwright pack", or give a folder.`,
    );
  if (source.kind === "mcp")
    throw new SkillError(
      "UNSUPPORTED",
      "Skills cannot be published to an MCP server, which is only read: give a folder, s3://bucket/prefix, a database or the https address of a registry.",
    );
  throw new SkillError(
    "UNSUPPORTED",
    "Skills cannot be published to a Git repository: commit and push with git, or give a folder, s3://bucket/prefix, a database or the https address of a registry.",
  );
}

async function mustExist(path: string): Promise<void> {
  if (await ifThere(stat(path))) return;
  throw new SkillError(
    "FILE_NOT_FOUND",
    `${path} does not exist. Give the place to which skills were published.`,
  );
}
