import { type Diagnostic, SkillError } from "@skillwright/core";
import { forEachLimited, type UploadLimits, uploadRules, withoutLeftOut } from "@skillwright/core/adapter";
import { shownAddress } from "../address/shown-address.js";
import type { ArchiveOpener } from "../archive-opener.js";
import type { HttpLimits } from "../http-repository-options.js";
import type { Downloads } from "../transfer/downloads.js";
import type { Validators } from "../transfer/validators.js";
import { archivedFiles } from "./archived-files.js";
import { checkBytes } from "./byte-digest.js";
import type { DigestedSource, ListedSource, SkillSource } from "./skill-source.js";

export interface FetchedFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Present for a file that was fetched separately. */
  readonly validators?: Validators | undefined;
}

/** All files of one source. */
export interface FetchedFiles {
  /** Files by path, relative to the skill or tree. */
  readonly files: ReadonlyMap<string, FetchedFile>;
  /** True where they are a tree of skills, whose own files belong to none. Defaults to false. */
  readonly isTree?: boolean;
  /** Diagnostics of the archive reader. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The repository's parts that fetching needs. */
export interface Fetching {
  readonly downloads: Downloads;
  readonly limits: HttpLimits;
  readonly leaveOut: ReadonlySet<string>;
  readonly openArchive: ArchiveOpener | undefined;
}

const FILES_AT_ONCE = 4;

/**
 * @param before The previous result, for files that did not change since.
 * @throws SkillError `DIGEST_MISMATCH`; what `Downloads.get` and the archive's reader throw; `CONFIG_INVALID` where
 * there is an archive and no reader.
 */
export async function fetchedFiles(
  source: SkillSource,
  before: FetchedFiles | undefined,
  fetching: Fetching,
  signal: AbortSignal | undefined,
): Promise<FetchedFiles> {
  if (source.kind === "files") return await listedFiles(source, before, fetching, signal);
  const { archiveBytes, skillFileBytes } = fetching.limits;
  const limit = source.kind === "skill-md" ? skillFileBytes : archiveBytes;
  const download = await fetching.downloads.get(source.url, { limit, signal });
  if (download === "unchanged") throw new Error("the server did not send a file that is not cached");
  checkBytes(download.bytes, source.digest, source.url);
  return await filesOf(source, download.bytes, fetching, signal);
}

/** Extracts the files from bytes whose digest was verified. Only the kind `tree` accepts a tree of skills. */
export async function filesOf(
  { kind, url }: Pick<DigestedSource, "kind" | "url">,
  bytes: Uint8Array,
  fetching: Fetching,
  signal: AbortSignal | undefined,
): Promise<FetchedFiles & { readonly directoryName?: string }> {
  if (kind === "skill-md")
    return { files: new Map([["SKILL.md", { bytes, executable: false }]]), diagnostics: [] };
  const { openArchive, limits, leaveOut } = fetching;
  if (!openArchive) throw noOpener(url);
  const archive = await openArchive(bytes, { limits, leaveOut, trees: kind === "tree", signal });
  const isTree = archive.layout === "tree";
  const most = isTree ? { ...limits, files: limits.treeFiles, bytes: limits.treeBytes } : limits;
  const { directoryName } = archive;
  const kept = withoutLeftOut(await archivedFiles(archive, most), fetching);
  const diagnostics = [...archive.diagnostics, ...kept.diagnostics];
  return { files: kept.files, isTree, diagnostics, ...(directoryName !== undefined && { directoryName }) };
}

async function listedFiles(
  { folder, files }: ListedSource,
  before: FetchedFiles | undefined,
  { downloads, limits, leaveOut }: Fetching,
  signal: AbortSignal | undefined,
): Promise<FetchedFiles> {
  const rules = uploadRules(limits);
  const { files: wanted, diagnostics } = withoutLeftOut(new Map(files.map((path) => [path, path])), {
    leaveOut,
  });
  for (const path of wanted.keys()) rules.admit(path);
  const fetched = new Map<string, FetchedFile>();
  await forEachLimited(wanted.keys(), FILES_AT_ONCE, async (path) => {
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), folder);
    const known = before?.files.get(path);
    const limit = limitOf(path, limits);
    const download = await downloads.get(url, { limit, known: known?.validators, signal });
    const file =
      download === "unchanged"
        ? known
        : { bytes: download.bytes, executable: false, validators: download.validators };
    if (!file) throw new Error("the server did not send a file that is not cached");
    rules.count(path, file.bytes.byteLength);
    fetched.set(path, file);
  });
  return { files: fetched, diagnostics };
}

function limitOf(path: string, { bytes, skillFileBytes }: UploadLimits): number {
  return path === "SKILL.md" ? skillFileBytes : bytes;
}

function noOpener(url: URL): SkillError {
  const message = `${shownAddress(url)} is an archive, but no openArchive was given. Pass openArchive of @skillwright/archive to httpRepository.`;
  return new SkillError("CONFIG_INVALID", message);
}
