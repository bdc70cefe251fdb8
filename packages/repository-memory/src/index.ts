export { memoryArtifacts } from "./memory-artifacts.js";
export { memoryRecords } from "./memory-records.js";
export { type MemoryRepositoryOptions, memoryRepository } from "./memory-repository.js";
export type { MemoryFile, MemorySkill } from "./stored-files.js";
