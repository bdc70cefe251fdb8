import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ArchiveFormat } from "@skillwright/archive";
import { SkillError } from "@skillwright/core";

export const PACK_FORMATS = ["skill", "zip", "tar.gz"] as const;
/** `skill` is a zip by the name that clients open it by. */
export type PackFormat = (typeof PACK_FORMATS)[number];

export interface OutputFile {
  /** Absolute. */
  readonly path: string;
  readonly archiveFormat: ArchiveFormat;
}

export interface OutputOptions {
  /** A file, or a folder that is there; the working directory by default. */
  readonly out: string | undefined;
  /** Told by the file's name where it is missing. */
  readonly format: PackFormat | undefined;
  readonly overwrite: boolean;
}

/** Where the archive goes. @throws SkillError `CONFLICT` for a file that is there and may not be replaced. */
export async function outputFile(name: string, options: OutputOptions, cwd: string): Promise<OutputFile> {
  const { out, overwrite } = options;
  const format = options.format ?? formatOf(out ?? "");
  const target = resolve(cwd, out ?? ".");
  const found = await stat(target).catch(() => undefined);
  const path = found?.isDirectory() ? join(target, `${name}.${format}`) : target;
  const isThere =
    path === target ? found !== undefined : (await stat(path).catch(() => undefined)) !== undefined;
  if (isThere && !overwrite)
    throw new SkillError(
      "CONFLICT",
      `${path} is there already. Add --overwrite, or name another file with --out.`,
    );
  return { path, archiveFormat: format === "tar.gz" ? "tar.gz" : "zip" };
}

function formatOf(out: string): PackFormat {
  const name = basename(out).toLowerCase();
  if (name.endsWith(".zip")) return "zip";
  return name.endsWith(".tar.gz") || name.endsWith(".tgz") ? "tar.gz" : "skill";
}
