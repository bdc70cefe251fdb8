export { openArchive } from "./open-archive.js";
export { isPackedPath } from "./packed-path.js";
export { type ArchiveRules, type ArchiveVerdict, archiveRules } from "./rules/archive-rules.js";
export type {
  ArchiveFile,
  ArchiveFormat,
  ArchiveLayout,
  ArchiveLimits,
  OpenArchiveOptions,
  SkillArchive,
  UnpackedSkill,
  UnpackOptions,
  WriteArchive,
  WriteArchiveOptions,
} from "./skill-archive.js";
export { unpackArchive } from "./unpack-archive.js";
export { type ZippedFile, zipFiles } from "./write/zip-files.js";
export { writeArchive } from "./write-archive.js";
