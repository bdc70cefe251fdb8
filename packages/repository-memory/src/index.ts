export { memoryArtifacts } from "./memory-artifacts.js";
export { type MemoryRepositoryOptions, memoryRepository } from "./memory-repository.js";
export { memorySessions } from "./memory-sessions.js";
export type { MemoryFile, MemorySkill } from "./stored-files.js";
