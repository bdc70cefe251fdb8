export {
  artifactStorePromises,
  testArtifactStore,
} from "./testing/artifact-store/artifact-store-contract.js";
export type { ArtifactSubject } from "./testing/artifact-store/subject.js";
export { type Breakages, testBreakages } from "./testing/breakages.js";
export { contentStorePromises, testContentStore } from "./testing/content-store/content-store-contract.js";
export type { ContentSubject } from "./testing/content-store/subject.js";
export {
  type ContractOptions,
  type ContractPromise,
  type CreateSubject,
  checkPromise,
  type Disposing,
  testContract,
} from "./testing/contract.js";
export { failsWith } from "./testing/fails-with.js";
export { inTime } from "./testing/in-time.js";
export {
  metadataIndexPromises,
  testMetadataIndex,
} from "./testing/metadata-index/metadata-index-contract.js";
export type { IndexSubject } from "./testing/metadata-index/subject.js";
export { type SeedFile, type SkillSeed, skillMarkdown } from "./testing/seeds.js";
export { sessionStorePromises, testSessionStore } from "./testing/session-store/session-store-contract.js";
export type { SessionSubject } from "./testing/session-store/subject.js";
export {
  restorableSkillRepositoryPromises,
  testRestorableSkillRepository,
} from "./testing/skill-repository/restorable-skill-repository-contract.js";
export {
  skillRepositoryPromises,
  testSkillRepository,
} from "./testing/skill-repository/skill-repository-contract.js";
export type {
  RepositorySubject,
  RestorableRepositorySubject,
  VersionedRepositorySubject,
  WritableRepositorySubject,
} from "./testing/skill-repository/subject.js";
export {
  testVersionedSkillRepository,
  versionedSkillRepositoryPromises,
} from "./testing/skill-repository/versioned-skill-repository-contract.js";
export {
  testWritableSkillRepository,
  writableSkillRepositoryPromises,
} from "./testing/skill-repository/writable-skill-repository-contract.js";
export type { TestFunction } from "./testing/test-function.js";
export { refusesHostilePaths } from "./testing/traits/hostile-paths.js";
export {
  revocableTrustStorePromises,
  testRevocableTrustStore,
} from "./testing/trust-store/revocable-trust-store-contract.js";
export type { RevocableTrustSubject, TrustSubject } from "./testing/trust-store/subject.js";
export { testTrustStore, trustStorePromises } from "./testing/trust-store/trust-store-contract.js";
export type { RegistrySubject } from "./testing/workspace-registry/subject.js";
export {
  testWorkspaceRegistry,
  workspaceRegistryPromises,
} from "./testing/workspace-registry/workspace-registry-contract.js";
export type { RuntimeSubject } from "./testing/workspace-runtime/subject.js";
export {
  testWorkspaceRuntime,
  workspaceRuntimePromises,
} from "./testing/workspace-runtime/workspace-runtime-contract.js";
