import type { SkillArchive } from "@skillwright/archive";
import { manifestDigest } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { ArchiveContent } from "../archives/archive-content.js";
import { counted, formatBytes } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { fileLines } from "../terminal/file-lines.js";
import type { Style } from "../terminal/style.js";

/** The content of an archive, without unpacking it. */
export function archiveText(
  archive: SkillArchive,
  { manifest, parsed }: ArchiveContent,
  style: Style,
): readonly string[] {
  const { format, layout, directoryName, files } = archive;
  const name = parsed.skill?.name ?? directoryName ?? "no name";
  const bytes = formatBytes(files.reduce((sum, { size }) => sum + size, 0));
  return [
    `${style.bold(shownLine(name))}  ${style.dim(`${format}, ${layout}`)}`,
    ...(parsed.skill ? [shownLine(parsed.skill.description)] : []),
    ...fileLines(files, style),
    ...[...archive.diagnostics, ...parsed.diagnostics].flatMap((found) => diagnosticLines(found, style)),
    "",
    `${counted(files.length, "file")}, ${bytes}, ${manifestDigest(manifest)}`,
  ];
}
