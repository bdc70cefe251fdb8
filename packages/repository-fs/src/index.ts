export { changeFile } from "./files/change-file.js";
export { type FsArtifactsOptions, fsArtifacts } from "./fs-artifacts.js";
export { type FsContentStoreOptions, fsContentStore } from "./fs-content-store.js";
export { type FsRecordsOptions, fsRecords } from "./fs-records.js";
export { type FsRepository, type FsRepositoryOptions, fsRepository } from "./fs-repository.js";
export { type FsSearchStore, type FsSearchStoreOptions, fsSearchStore } from "./fs-search-store.js";
export type { ScanLimits, ScanOptions } from "./skills/scan-options.js";
export type { WatchOptions } from "./watch/watch-options.js";
