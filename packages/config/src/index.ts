export type { CheckedAgentConfig } from "./agent/agent-config-schema.js";
export { checkAgentConfig } from "./agent/check-agent-config.js";
export { configurationInvalid } from "./checking/configuration-invalid.js";
export { type FieldProblem, fieldProblems, type SchemaIssue } from "./checking/schema-issue.js";
export type { Environment } from "./clients/s3-client.js";
export type {
  Configuration,
  ConfiguredRepository,
  ConfiguredRetention,
  LoadedConfiguration,
  ReadConfigurationFile,
} from "./file/configuration.js";
export {
  type ConfigurationFile,
  type ConfiguredSkill,
  type ConfiguredText,
  defineConfiguration,
  type SkillPlaceKind,
} from "./file/configuration-file.js";
export { checkConfiguration, configurationJsonSchema } from "./file/configuration-schema.js";
export { type LoadConfigurationOptions, loadConfiguration } from "./file/load-configuration.js";
export {
  type CheckOptions,
  type DownloadedFile,
  type InstallOptions,
  type InstallResult,
  installSkills,
} from "./install/install-skills.js";
export {
  LOCK_FILE_NAME,
  type LockedSkill,
  type LockFile,
  lockFileOf,
  lockFileText,
  parseLockFile,
} from "./lock/lock-file.js";
export { lockSkill } from "./lock/lock-skill.js";
export { type LockedOptions, locked } from "./lock/locked.js";
export {
  type ConfiguredModel,
  configuredModel,
  type ModelChoice,
  modelChoice,
} from "./models/model-choice.js";
export { isUsableKey, USABLE_KEY } from "./models/usable-key.js";
export { checkSkillsPackage } from "./package/check-skills-package.js";
export {
  openSkillsPackage,
  type SkillsPackage,
  type SkillsPackageOptions,
} from "./package/skills-package.js";
export type { SkillsPackageConfig } from "./package/skills-package-config.js";
export { openPlace } from "./places/open-place.js";
export { placesSearchStore } from "./places/places-search-store.js";
export { type SkillPlace, type StandardPlaceKind, wasAsked } from "./places/skill-place.js";
export { type StandardPlacesInput, standardPlaces } from "./places/standard-places.js";
export { type OpenedRecords, type OpenRecordsOptions, openRecords } from "./records/open-records.js";
export {
  type ApplicationData,
  knownWorkspacesName,
  workspacesName,
} from "./records/workspaces-name.js";
export { openArtifacts } from "./sources/open-artifacts.js";
export { openPublishingPlace, type PublishingPlace } from "./sources/open-publishing-place.js";
export { type OpenSourceOptions, openSkillSource } from "./sources/open-skill-source.js";
export { type SkillSource, skillSource, withoutCredentials } from "./sources/skill-source.js";
export { type SourceClients, sourceClients } from "./sources/source-clients.js";
export { openStores, type Stores, type StoresOptions } from "./stores/open-stores.js";
