export type { ArchiveOpener, OpenedArchive, OpenedArchiveLimits } from "./archive-opener.js";
export { httpRepository } from "./http-repository.js";
export type { HttpLimits, HttpRepositoryOptions, ResolveHost } from "./http-repository-options.js";
