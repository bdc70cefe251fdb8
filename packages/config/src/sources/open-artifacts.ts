import { resolve } from "node:path";
import type { ArtifactStore } from "@skillwright/core";
import { fsArtifacts } from "@skillwright/repository-fs";
import { bucketPackage } from "../clients/bucket-package.js";
import { databasePackage } from "../clients/sql-database.js";
import { isDatabase, openDatabase } from "./open-database.js";
import type { OpenSourceOptions } from "./open-skill-source.js";
import { noStore, storePlace } from "./skill-source.js";

/**
 * Opens an artifact store: `s3://bucket/prefix`, `sqlite:path`, `postgres://host/database`, or a folder. A folder or a
 * SQLite file is created where it does not exist. The clients close a database.
 * @throws SkillError `CONFIG_INVALID` for any other location; `UNSUPPORTED` for a bucket or database without its packages,
 * or on an S3 server that cannot create an object only where it is absent.
 */
export async function openArtifacts(
  text: string,
  { cwd, clients }: Pick<OpenSourceOptions, "cwd" | "clients">,
): Promise<ArtifactStore> {
  const source = storePlace(text, ...ARTIFACTS);
  if (source.kind === "folder") return fsArtifacts({ root: resolve(cwd, source.path) });
  if (source.kind === "s3") {
    const { s3Artifacts } = await bucketPackage();
    return s3Artifacts({ client: await clients.s3(), bucket: source.bucket, prefix: source.prefix });
  }
  if (isDatabase(source)) {
    const database = await openDatabase(source, { cwd, clients }, true);
    const { sqlArtifacts } = await databasePackage();
    return sqlArtifacts({ database });
  }
  throw noStore(text, ...ARTIFACTS);
}

const ARTIFACTS = [
  "Artifacts",
  "Give a folder, s3://bucket/prefix, sqlite:path or postgres://host/database.",
] as const;
