import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type ArchiveLayout, isPackedPath, openArchive, writeArchive } from "@skillwright/archive";
import {
  type Diagnostic,
  isSkillName,
  type ManifestFile,
  manifestDigest,
  SkillError,
  skillManifest,
  type UploadFile,
} from "@skillwright/core";
import { archiveContent } from "../archives/archive-content.js";
import type { CliContext } from "../cli-context.js";
import { type OpenedSkill, openSkill } from "../skills/open-skill.js";
import { type OutputFile, type OutputOptions, outputFile } from "./output-file.js";

export interface PackOptions extends OutputOptions {
  readonly layout: ArchiveLayout;
  /** @throws SkillError `CONFLICT` for a file that changed after it was judged. */
  readonly checkSame: (files: readonly ManifestFile[]) => void;
}

export interface PackedSkill {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly format: OutputFile["archiveFormat"];
  readonly layout: ArchiveLayout;
  /** Size of the archive. */
  readonly bytes: number;
  readonly files: readonly ManifestFile[];
  /** Digest of the files in it. */
  readonly digest: string;
  /** Paths of files that do not belong in an archive. */
  readonly leftOut: readonly string[];
  /** Reports what else was left out, such as links. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Packs the skill in the folder. The archive is written to a temporary file, read back and compared with the skill, and
 * only then renamed.
 * @throws SkillError as `openSkill`, `outputFile` and `writeArchive`; `CONFLICT` where the skill changed meanwhile.
 */
export async function packSkill(
  directory: string,
  options: PackOptions,
  context: CliContext,
): Promise<PackedSkill> {
  await using opened = await openSkill(directory, [], context);
  const { skill } = opened;
  const name = isSkillName(skill.name) ? skill.name : basename(directory);
  const output = await outputFile(name, options, context.cwd);
  const own = relative(directory, output.path).split(sep).join("/");
  const isPacked = ({ path }: ManifestFile) => isPackedPath(path) && path !== own;
  const { files } = skillManifest(skill.manifest.files.filter(isPacked));
  options.checkSame(files);
  const digest = manifestDigest({ formatVersion: 1, files });
  const { layout } = options;
  const written = writeArchive(contents(files, opened, context.signal), {
    format: output.archiveFormat,
    layout,
    directoryName: name,
  });
  return {
    name,
    file: output.path,
    format: output.archiveFormat,
    layout,
    bytes: await putInPlace(written, output.path, digest, context.signal),
    files,
    digest,
    leftOut: skill.manifest.files.filter((file) => !isPacked(file)).map(({ path }) => path),
    diagnostics: skill.diagnostics.filter(({ path }) => path !== "SKILL.md"),
  };
}

async function* contents(
  files: readonly ManifestFile[],
  { catalog, skill }: OpenedSkill,
  signal: AbortSignal | undefined,
): AsyncGenerator<UploadFile> {
  for (const { path, executable } of files)
    yield { path, executable, content: await catalog.open(skill.name, path, { signal }) };
}

async function putInPlace(
  archive: ReturnType<typeof writeArchive>,
  file: string,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  await mkdir(dirname(file), { recursive: true });
  const part = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomUUID()}.part`);
  try {
    await pipeline(archive, createWriteStream(part, { flags: "wx" }), { ...(signal && { signal }) });
    const { manifest } = await archiveContent(await openArchive(createReadStream(part), { signal }));
    if (manifestDigest(manifest) !== digest)
      throw new SkillError("CONFLICT", "The skill changed while it was packed. Pack it again.");
    const { size } = await stat(part);
    await rename(part, file);
    return size;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
