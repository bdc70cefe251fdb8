export type { ArchiveOpener, OpenedArchive, OpenedArchiveLimits } from "./archive-opener.js";
export type { ArchiveWriter } from "./archive-writer.js";
export { httpRepository } from "./http-repository.js";
export type { HttpLimits, HttpRepositoryOptions, ResolveHost } from "./http-repository-options.js";
export {
  type HttpRegistry,
  type HttpRegistryOptions,
  httpRegistry,
} from "./registry/client/http-registry.js";
export { fileLabels } from "./registry/file-labels.js";
export { memoryLabels } from "./registry/memory-labels.js";
export type { RegistryLabels, VersionLabels } from "./registry/registry-labels.js";
export { registryHandler } from "./registry/server/registry-handler.js";
export type {
  RegistryAccess,
  RegistryAction,
  RegistryHandlerOptions,
} from "./registry/server/registry-options.js";
export { type CheckedFetchOptions, checkedFetch } from "./transfer/checked-fetch.js";
