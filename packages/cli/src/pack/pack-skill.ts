import { basename, relative, sep } from "node:path";
import { type ArchiveLayout, isPackedPath, writeArchive } from "@skillwright/archive";
import {
  type Diagnostic,
  isSkillName,
  type ManifestFile,
  manifestDigest,
  SkillError,
  skillManifest,
  type UploadFile,
} from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { type OpenedSkill, openSkill } from "../skills/open-skill.js";
import { type OutputFile, type OutputOptions, outputFile } from "./output-file.js";
import { putInPlace } from "./put-in-place.js";

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
    bytes: await putInPlace(written, output.path, {
      digest,
      different: () => new SkillError("CONFLICT", "The skill changed while it was packed. Pack it again."),
      signal: context.signal,
    }),
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
