import type { ByteStream, UploadFile } from "@skillwright/core";

/**
 * Packs the files of a skill, as `writeArchive` of `@skillwright/archive` does: SKILL.md at the top, the same bytes for
 * the same files.
 * @throws SkillError `SKILL_INVALID`, `PATH_OUTSIDE`, `PATH_INVALID`, `LIMIT_EXCEEDED` for files that cannot be packed.
 */
export type ArchiveWriter = (
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  options: { readonly format: "zip"; readonly layout: "bare" },
) => ByteStream;
