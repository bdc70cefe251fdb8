export type { ArtifactScope, ArtifactStore, ArtifactVersion } from "./artifact/artifact-store.js";
export { type ByteSource, type ByteStream, byteStream, readBytes, readText } from "./byte-stream.js";
export type {
  CatalogChange,
  CatalogSkill,
  CatalogSnapshot,
  CatalogSource,
  SearchHit,
  SkillCatalog,
  SkillChange,
  SkillOrigin,
  WritableSkillCatalog,
} from "./catalog/skill-catalog.js";
export type { CallOptions, Closable } from "./closable.js";
export { containedPath, isContainedPath } from "./contained-path.js";
export type { ContentStore } from "./content/content-store.js";
export type { Diagnostic, Severity } from "./diagnostic.js";
export type { JsonObject, JsonValue } from "./json-value.js";
export type { RecordStore } from "./record/record-store.js";
export type { MetadataIndex } from "./repository/metadata-index.js";
export type {
  RestorableSkillRepository,
  SkillListing,
  SkillReader,
  SkillRepository,
  SkillVersion,
  UploadFile,
  UploadOptions,
  VersionedSkillRepository,
  WatchableSkillRepository,
  WritableSkillRepository,
} from "./repository/skill-repository.js";
export type { RunEvent, RunEventListener } from "./run-event.js";
export type {
  HostFolder,
  HostFolderChange,
  HostFolderDiff,
  HostFolderSnapshot,
} from "./runtime/host-folder.js";
export type { Isolation, RunLimits, RunOutput, RunResult } from "./runtime/run-command.js";
export type { RuntimeWorkspace, WorkspaceRuntime } from "./runtime/workspace-runtime.js";
export { Secret } from "./secret.js";
export {
  applyStateDeltas,
  type SessionScope,
  type SessionState,
  SKILL_STATE_KEYS,
  type StateDelta,
} from "./session/state-delta.js";
export { type EditedSkill, editSkill } from "./skill/edit-skill.js";
export type { SkillExecutable, SkillParameter, SkillReturn } from "./skill/fields/executable-fields.js";
export type { OpenClawFields, SkillVariable } from "./skill/fields/openclaw-fields.js";
export { type SkillFields, skillFields } from "./skill/fields/skill-fields.js";
export type { SkillTrigger } from "./skill/fields/triggers.js";
export {
  type ManifestFile,
  manifestDigest,
  SKILL_LIMITS,
  type SkillManifest,
  skillManifest,
} from "./skill/manifest.js";
export { type ParsedSkill, type ParseSkillResult, parseSkill } from "./skill/parse-skill.js";
export { type SkillText, serializeSkill } from "./skill/serialize-skill.js";
export { type BrokenSkill, isSkillDocument, type Skill, type SkillSummary } from "./skill/skill.js";
export { isSkillName } from "./skill/skill-name.js";
export { type ValidationProfile, validateSkill } from "./skill/validate-skill.js";
export { SkillError, type SkillErrorCode } from "./skill-error.js";
export type { Approval, ApprovalChange, ApprovalDecision, ApprovalRequest } from "./tool/approval.js";
export type { SkillTool, ToolContext, ToolResult } from "./tool/skill-tool.js";
export type { RevocableTrustStore, TrustStore } from "./tool/trust-store.js";
export type { WorkspaceRegistry } from "./workspace/workspace-registry.js";
export type {
  CollectedFile,
  InstallQuestion,
  RunInput,
  RunOutputs,
  UploadedFile,
  WorkspaceFile,
  WorkspaceInfo,
  WorkspaceRun,
  WorkspaceRunHandle,
  WorkspaceRunOptions,
  WorkspaceRunResult,
  Workspaces,
} from "./workspace/workspaces.js";
