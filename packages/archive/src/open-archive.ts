import {
  type ByteSource,
  byteStream,
  type Diagnostic,
  readBytes,
  SKILL_LIMITS,
  SkillError,
} from "@skillwright/core";
import { type ArchiveEntry, abortable, checkAborted } from "@skillwright/core/adapter";
import { archiveFormat } from "./archive-format.js";
import { archiveIntake, type TakenSkill, treeLimits } from "./archive-intake.js";
import type { OpenedFormat } from "./opened-format.js";
import type { ArchiveFormat, ArchiveLimits, OpenArchiveOptions, SkillArchive } from "./skill-archive.js";
import { openTar, type TarEntry } from "./tar/open-tar.js";
import { openZip } from "./zip/open-zip.js";
import type { ZipEntry } from "./zip/zip-entry.js";

const MEBIBYTE = 1024 * 1024;

/**
 * Reads the archive into memory and validates everything it declares: names, types, counts, sizes; for a zip, that
 * central and local headers agree and that every byte belongs to one entry; for a tar.gz, that it is one complete gzip
 * member with one complete tar. The format is determined by the first bytes.
 *
 * Default limits: 512 files, 16 MiB unpacked, 1 MiB for SKILL.md, 32 MiB for the archive. With `trees` an archive of
 * several skills is accepted, too: 4,096 files and 64 MiB unpacked for all of them together. The limits of each skill
 * in it are left to the caller, who decides where a skill begins.
 *
 * @throws SkillError `SKILL_INVALID` for a damaged or ambiguous archive, a link or special file, two paths that are the
 * same on some system, no skill, or several without `trees`; `PATH_OUTSIDE`, `PATH_INVALID` for a name; `LIMIT_EXCEEDED`; `ABORTED`.
 */
export async function openArchive(
  source: ByteSource,
  options: OpenArchiveOptions = {},
): Promise<SkillArchive> {
  const limits = archiveLimits(options.limits);
  const leaveOut = [...(options.leaveOut ?? [])];
  const ofTree = options.trees ? treeLimits(limits) : undefined;
  const bytes = await archiveBytes(source, limits.archiveBytes, options.signal);
  const format = archiveFormat(bytes);
  return format === "zip"
    ? await checkedArchive(format, options, (take) => openZip(bytes, take))
    : await checkedArchive(format, options, (take) =>
        openTar(bytes, { limits: ofTree ?? limits, leavesOut: leaveOut.length > 0 }, take),
      );

  async function checkedArchive<Entry extends ZipEntry | TarEntry>(
    format: ArchiveFormat,
    { signal }: OpenArchiveOptions,
    open: (take: (entry: Entry) => boolean) => Promise<OpenedFormat<Entry>>,
  ): Promise<SkillArchive> {
    const intake = archiveIntake<Entry>(limits, leaveOut, ofTree);
    const opened = await open((entry) => {
      checkAborted(signal);
      return intake.take(entry);
    });
    return skillArchive(format, opened, intake.finish(), signal);
  }
}

function skillArchive<Entry extends ArchiveEntry>(
  format: ArchiveFormat,
  opened: OpenedFormat<Entry>,
  { directoryName, isTree, files, diagnostics }: TakenSkill<Entry>,
  signal: AbortSignal | undefined,
): SkillArchive {
  return {
    format,
    layout: isTree ? "tree" : directoryName === undefined ? "bare" : "wrapped",
    ...(directoryName !== undefined && { directoryName }),
    files: files.map(({ path, executable, entry }) => ({ path, size: entry.size, executable })),
    diagnostics: [...opened.diagnostics, ...diagnostics].map((diagnostic) =>
      relative(diagnostic, directoryName),
    ),
    async *contents() {
      for await (const { file, content } of opened.contents(files))
        yield { path: file.path, executable: file.executable, content: abortable(content, signal) };
    },
  };
}

function relative(diagnostic: Diagnostic, directoryName: string | undefined): Diagnostic {
  const start = `${directoryName}/`;
  const { path } = diagnostic;
  return directoryName !== undefined && path?.startsWith(start)
    ? { ...diagnostic, path: path.slice(start.length) }
    : diagnostic;
}

/** Copied, so that exactly the checked bytes are streamed later. */
async function archiveBytes(
  source: ByteSource,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  try {
    return Buffer.from(await readBytes(abortable(byteStream(source), signal), limit));
  } catch (error) {
    if (!SkillError.is(error, "LIMIT_EXCEEDED")) throw SkillError.from(error, "Reading the archive");
    const message = `The archive has more than ${limit} bytes. Pack fewer files, or raise archiveBytes.`;
    throw new SkillError("LIMIT_EXCEEDED", message, { cause: error, details: { archiveBytes: limit } });
  }
}

/** The given limits and the defaults of the others. */
export function archiveLimits(limits: Partial<ArchiveLimits> = {}): ArchiveLimits {
  const archive = { archiveBytes: 32 * MEBIBYTE, treeFiles: 4096, treeBytes: 64 * MEBIBYTE };
  return { ...SKILL_LIMITS, ...archive, ...limits };
}
