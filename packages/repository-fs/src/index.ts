export { type FsArtifactsOptions, fsArtifacts } from "./fs-artifacts.js";
export { type FsContentStoreOptions, fsContentStore } from "./fs-content-store.js";
export { type FsRegistryOptions, fsRegistry } from "./fs-registry.js";
export { type FsRepository, type FsRepositoryOptions, fsRepository } from "./fs-repository.js";
export { type FsSessionsOptions, fsSessions } from "./fs-sessions.js";
export { type FsTrustOptions, fsTrust } from "./fs-trust.js";
export { type FsTurnsOptions, fsTurns } from "./fs-turns.js";
export type { ScanLimits, ScanOptions } from "./skills/scan-options.js";
export type { WatchOptions } from "./watch/watch-options.js";
