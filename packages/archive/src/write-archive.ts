import {
  type ByteStream,
  containedPath,
  readBytes,
  SKILL_LIMITS,
  SkillError,
  type UploadFile,
} from "@skillwright/core";
import { fileNameProblem } from "@skillwright/core/adapter";
import { archiveIntake, treeLimits } from "./archive-intake.js";
import { archivedSkillFolder } from "./archived-skill-folder.js";
import { archiveLimits } from "./open-archive.js";
import type { WriteArchiveOptions } from "./skill-archive.js";
import type { FileToPack } from "./write/file-to-pack.js";
import { tarGzBytes } from "./write/tar-gz-bytes.js";
import { zipStream } from "./write/zip-stream.js";

/**
 * Packs the files into an archive that `openArchive` accepts: they must pass the same rules and limits. Nothing is left
 * out; `isPackedPath` tells what a packer should leave out. Sorted by name bytes, dated 1980-01-02, mode 644 or 755, no
 * owner: the same files give the same bytes under the same version of Node (deflate may differ between versions).
 *
 * The files are read into memory (16 MiB at most, 64 MiB for a tree) when the first piece is requested; errors are thrown then.
 *
 * @throws SkillError as `openArchive`; `INPUT_INVALID` for `wrapped` or `tree` without a `directoryName` that is a plain name.
 */
export async function* writeArchive(
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  options: WriteArchiveOptions,
): ByteStream {
  const entries = await checkedFiles(files, folderOf(options), options.layout === "tree");
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  if (options.format === "zip") yield* zipStream(entries);
  else yield await tarGzBytes(entries);
}

function folderOf({ layout, directoryName }: WriteArchiveOptions): string | undefined {
  if (layout === "bare") return undefined;
  const name = directoryName ?? "";
  const problem =
    name.includes("/") || name === "" ? "is not the name of a single folder" : fileNameProblem(name);
  if (!problem) return containedPath(name);
  throw new SkillError(
    "INPUT_INVALID",
    `The directoryName ${JSON.stringify(name)} ${problem}. A wrapped archive needs one, such as the skill's name.`,
  );
}

async function checkedFiles(
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  folder: string | undefined,
  isTree: boolean,
): Promise<FileToPack[]> {
  const intake = archiveIntake<FileToPack>(
    SKILL_LIMITS,
    [],
    isTree ? treeLimits(archiveLimits()) : undefined,
  );
  let given = 0;
  for await (const file of files) {
    given += 1;
    intake.take(await fileToPack(file, folder));
  }
  const { files: taken, directoryName, diagnostics } = intake.finish();
  const leftOut = diagnostics.find(({ code }) => code === "archive.left-out");
  if (taken.length < given)
    throw new SkillError(
      "SKILL_INVALID",
      `${leftOut?.message ?? "A file is left out."} Filter the files with isPackedPath.`,
    );
  if (directoryName !== folder) throw misplaced(taken.map(({ path }) => path));
  return taken.map(({ path, entry }) => ({
    ...entry,
    name: folder === undefined ? path : `${folder}/${path}`,
  }));
}

async function fileToPack(file: UploadFile, folder: string | undefined): Promise<FileToPack> {
  const { path, executable = false } = file;
  const content = Buffer.from(await readBytes(file.content, SKILL_LIMITS.bytes));
  const name = folder === undefined ? path : `${folder}/${path}`;
  return { name, kind: "file", size: content.length, mode: executable ? 0o755 : 0o644, executable, content };
}

function misplaced(paths: readonly string[]): SkillError {
  const folder = archivedSkillFolder(paths) ?? "";
  return new SkillError(
    "SKILL_INVALID",
    `SKILL.md is in "${folder}", not at the top level. Give paths relative to the skill.`,
  );
}
