export {
  artifactStorePromises,
  testArtifactStore,
} from "./artifact-store/artifact-store-contract.js";
export type { ArtifactSubject } from "./artifact-store/subject.js";
export { type Breakages, testBreakages } from "./breakages.js";
export { contentStorePromises, testContentStore } from "./content-store/content-store-contract.js";
export type { ContentSubject } from "./content-store/subject.js";
export {
  type ContractOptions,
  type ContractPromise,
  type CreateSubject,
  checkPromise,
  type Disposing,
  testContract,
} from "./contract.js";
export { failsWith } from "./fails-with.js";
export { inTime } from "./in-time.js";
export {
  metadataIndexPromises,
  testMetadataIndex,
} from "./metadata-index/metadata-index-contract.js";
export type { IndexSubject } from "./metadata-index/subject.js";
export { recordStorePromises, testRecordStore } from "./record-store/record-store-contract.js";
export type { RecordSubject } from "./record-store/subject.js";
export { type SeedFile, type SkillSeed, skillMarkdown } from "./seeds.js";
export {
  restorableSkillRepositoryPromises,
  testRestorableSkillRepository,
} from "./skill-repository/restorable-skill-repository-contract.js";
export {
  skillRepositoryPromises,
  testSkillRepository,
} from "./skill-repository/skill-repository-contract.js";
export type {
  RepositorySubject,
  RestorableRepositorySubject,
  VersionedRepositorySubject,
  WritableRepositorySubject,
} from "./skill-repository/subject.js";
export {
  testVersionedSkillRepository,
  versionedSkillRepositoryPromises,
} from "./skill-repository/versioned-skill-repository-contract.js";
export {
  testWritableSkillRepository,
  writableSkillRepositoryPromises,
} from "./skill-repository/writable-skill-repository-contract.js";
export type { TestFunction } from "./test-function.js";
export { refusesHostilePaths } from "./traits/hostile-paths.js";
export {
  revocableTrustStorePromises,
  testRevocableTrustStore,
} from "./trust-store/revocable-trust-store-contract.js";
export type { RevocableTrustSubject, TrustSubject } from "./trust-store/subject.js";
export { testTrustStore, trustStorePromises } from "./trust-store/trust-store-contract.js";
export type { RegistrySubject } from "./workspace-registry/subject.js";
export {
  testWorkspaceRegistry,
  workspaceRegistryPromises,
} from "./workspace-registry/workspace-registry-contract.js";
export type { RuntimeSubject } from "./workspace-runtime/subject.js";
export {
  testWorkspaceRuntime,
  workspaceRuntimePromises,
} from "./workspace-runtime/workspace-runtime-contract.js";
