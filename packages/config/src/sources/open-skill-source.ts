import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Secret, SkillError, type SkillRepository } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { fsRepository } from "@skillwright/repository-fs";
import { archiveRepository } from "./archive-repository.js";
import { bucketRepository } from "./bucket-repository.js";
import { httpRegistrySource } from "./http-registry-source.js";
import { mcpSourceRepository } from "./mcp-source.js";
import { databaseRepository } from "./open-database.js";
import { type SkillSource, skillSource } from "./skill-source.js";
import type { SourceClients } from "./source-clients.js";

export interface OpenSourceOptions {
  /** Absolute base of relative folders and files. */
  readonly cwd: string;
  readonly clients: SourceClients;
  /** The version named in a lock file: for Git the commit, so that nothing newer is fetched. */
  readonly version?: string | undefined;
  /** Variables of an MCP server that is started, besides the few that each one gets. */
  readonly environment?: Readonly<Record<string, string | Secret>> | undefined;
}

/**
 * Opens the repository for a text in the form of `skillSource`. Nothing is fetched before the first call, except from a
 * database, which is connected to at once and whose tables are brought up to date.
 * @throws SkillError `CONFIG_INVALID` for an invalid source; `FILE_NOT_FOUND` for a missing folder, archive or SQLite file;
 * `UNSUPPORTED` for a bucket, a database or an MCP server without its packages; `BACKEND_FAILED` for a database that cannot be opened.
 */
export async function openSkillSource(text: string, options: OpenSourceOptions): Promise<SkillRepository> {
  const source = skillSource(text);
  switch (source.kind) {
    case "folder":
    case "archive":
      return await localRepository(resolve(options.cwd, source.path), source.kind);
    case "s3":
      return await bucketRepository(await options.clients.s3(), source.bucket, source.prefix);
    case "git":
      return await gitSourceRepository(source, options.version);
    case "http":
      return await httpSourceRepository(source, options.clients);
    case "mcp":
      return await mcpSourceRepository(source, options);
    case "registry":
      return await httpRegistrySource(source.url, options.clients);
    case "sqlite":
    case "postgres":
      return await databaseRepository(source, options);
  }
}

/** A folder may have the name of an archive. */
async function localRepository(path: string, kind: "folder" | "archive"): Promise<SkillRepository> {
  const found = await ifThere(stat(path));
  if (found?.isDirectory()) return fsRepository({ root: path });
  if (kind === "archive" && found?.isFile()) return archiveRepository(path);
  const problem = found
    ? `${path} is not a folder. Give a folder, or an archive whose name ends in .skill, .zip, .tar.gz or .tgz.`
    : `The ${kind} ${path} does not exist. Create it, or correct the path.`;
  throw new SkillError("FILE_NOT_FOUND", problem);
}

// Each package is imported only when it is used, so that a start with folders only does not load the others.

async function gitSourceRepository(
  { url, ref, path }: SkillSource & { kind: "git" },
  version: string | undefined,
): Promise<SkillRepository> {
  const { gitRepository } = await import("@skillwright/repository-git");
  const isLocal = url.startsWith("file:");
  const pin = version === undefined ? { ref } : { commit: version };
  return gitRepository({ url, ...pin, path, allowLocal: isLocal, allowHttp: url.startsWith("http:") });
}

async function httpSourceRepository(
  { url }: SkillSource & { kind: "http" },
  clients: SourceClients,
): Promise<SkillRepository> {
  const { httpRepository } = await import("@skillwright/repository-http");
  const { openArchive } = await import("@skillwright/archive");
  return httpRepository({ url, openArchive, ...clients.http(url) });
}
