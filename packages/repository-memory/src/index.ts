export { memoryArtifacts } from "./memory-artifacts.js";
export { memoryRecords } from "./memory-records.js";
export { memoryRegistry } from "./memory-registry.js";
export { type MemoryRepositoryOptions, memoryRepository } from "./memory-repository.js";
export { memorySessions } from "./memory-sessions.js";
export { memoryTrust } from "./memory-trust.js";
export { memoryTurns } from "./memory-turns.js";
export type { MemoryFile, MemorySkill } from "./stored-files.js";
