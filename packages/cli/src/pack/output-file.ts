import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ArchiveFormat } from "@skillwright/archive";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";

/** `skill` is a zip with the extension that clients open. */
export type PackFormat = "skill" | "zip" | "tar.gz";

export interface OutputFile {
  /** Absolute. */
  readonly path: string;
  readonly archiveFormat: ArchiveFormat;
}

export interface OutputOptions {
  /** A file; or a folder, which exists or ends with a slash and is created. Defaults to the working directory. */
  readonly out: string | undefined;
  /** Determined by the file's name where it is missing. */
  readonly format: PackFormat | undefined;
  readonly overwrite: boolean;
}

/**
 * Determines the path of the archive.
 * @throws SkillError `CONFLICT` for an existing file that may not be replaced, and for a file in place of a folder.
 */
export async function outputFile(name: string, options: OutputOptions, cwd: string): Promise<OutputFile> {
  const { out = ".", overwrite } = options;
  const target = resolve(cwd, out);
  const found = await ifThere(stat(target));
  const isFolder = found?.isDirectory() ?? out.endsWith("/");
  if (!isFolder && out.endsWith("/")) throw notFolder(target);
  const format = options.format ?? (isFolder ? "skill" : formatOf(out));
  const path = isFolder ? join(target, `${name}.${format}`) : target;
  const exists = (await ifThere(stat(path))) !== undefined;
  if (exists && !overwrite)
    throw new SkillError(
      "CONFLICT",
      `${path} already exists. Add --overwrite, or give another file with --out.`,
    );
  return { path, archiveFormat: format === "tar.gz" ? "tar.gz" : "zip" };
}

function notFolder(path: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `${path} is a file. Remove the slash at the end to write to that file, or give another folder.`,
  );
}

function formatOf(out: string): PackFormat {
  const name = basename(out).toLowerCase();
  if (name.endsWith(".zip")) return "zip";
  return name.endsWith(".tar.gz") || name.endsWith(".tgz") ? "tar.gz" : "skill";
}
