export { abortable, checkAborted, untilAborted } from "./abort.js";
export type { ArchiveEntry, ArchiveEntryKind } from "./archive/archive-entry.js";
export type { ArchiveOpener, OpenedArchive, OpenedArchiveLimits } from "./archive/archive-opener.js";
export { type ArchiveRules, type ArchiveVerdict, archiveRules } from "./archive/archive-rules.js";
export { archivedSkillFolder } from "./archive/archived-skill-folder.js";
export { isBomb } from "./archive/entry-refusal.js";
export { fileNameProblem } from "./archive/file-name-problem.js";
export { leftOutReason } from "./archive/left-out.js";
export { checkArtifactScope } from "./artifact/artifact-scope.js";
export type {
  ArtifactReference,
  ArtifactScope,
  ArtifactStore,
  ArtifactVersion,
  SaveArtifactOptions,
} from "./artifact/artifact-store.js";
export { parseArtifactReference } from "./artifact/artifact-store.js";
export { type ByteSource, type ByteStream, byteStream, readBytes, readText } from "./byte-stream.js";
export type { CatalogChange, SkillChange } from "./catalog/catalog-change.js";
export type { RevocableTrustStore } from "./catalog/revocable-trust-store.js";
export type {
  CatalogSkill,
  CatalogSnapshot,
  CatalogSource,
  SearchHit,
  SkillCatalog,
  SkillOrigin,
  WritableSkillCatalog,
} from "./catalog/skill-catalog.js";
export { type Clock, systemClock } from "./clock.js";
export type { CallOptions, Closable } from "./closable.js";
export { containedPath, firstUnusablePart, isContainedPath } from "./contained-path.js";
export type {
  ContentLease,
  ContentStore,
  MakeContentOptions,
  MaterializeOptions,
} from "./content/content-store.js";
export { deepFreeze } from "./deep-freeze.js";
export { type Diagnostic, type DiagnosticText, pathDiagnostic, type Severity } from "./diagnostic.js";
export {
  type Eligibility,
  eligibility,
  type IneligibilityReason,
  neededPrograms,
} from "./eligibility/eligibility.js";
export type { HostFacts } from "./eligibility/host-facts.js";
export { ineligibleDiagnostic } from "./eligibility/ineligible-diagnostic.js";
export { installCommands } from "./eligibility/install-commands.js";
export type { JudgedSkill, SkillSetting, SkillSettings } from "./eligibility/skill-settings.js";
export { type SkillVariables, skillVariables } from "./eligibility/skill-variables.js";
export { forEachLimited } from "./for-each-limited.js";
export type { JsonObject, JsonValue } from "./json-value.js";
export { indexName } from "./repository/index-name.js";
export { lazyReader } from "./repository/lazy-reader.js";
export type { IndexChange, IndexedSummaries, MetadataIndex } from "./repository/metadata-index.js";
export type {
  DeletedSkill,
  RestorableSkillRepository,
  RestoreOptions,
} from "./repository/restorable-skill-repository.js";
export type {
  SkillListing,
  SkillReader,
  SkillRepository,
  SkillVersion,
  SkillVersionOptions,
  SkillWatch,
  UploadFile,
  UploadOptions,
  VersionedSkillRepository,
  WatchableSkillRepository,
  WritableSkillRepository,
} from "./repository/skill-repository.js";
export {
  leftOutFolder,
  type SkillAmounts,
  type SkillRuleOptions,
  type SkillRules,
  skillRules,
  withoutLeftOut,
} from "./repository/skill-rules.js";
export {
  type UploadLimits,
  type UploadRules,
  uploadedSkill,
  uploadRules,
} from "./repository/upload-rules.js";
export type { RunEvent, RunEventLimits, RunEventListener } from "./run-event.js";
export { checkCommand } from "./runtime/check-command.js";
export { commandEnvironment, type EnvironmentPlace } from "./runtime/command-environment.js";
export { checkEnvironmentVariable } from "./runtime/environment.js";
export { type OutputLog, outputLog } from "./runtime/output-log.js";
export { PYTHON_FALLBACK, pythonFallbackDiagnostics } from "./runtime/python-fallback.js";
export { type RunOptions, run } from "./runtime/run.js";
export type {
  CapturedOutput,
  Isolation,
  RunCommand,
  RunHandle,
  RunLimits,
  RunOutput,
  RunResult,
} from "./runtime/run-command.js";
export { type SecretMasking, secretMasking } from "./runtime/secret-masking.js";
export {
  type SecretWeakness,
  secretWeakness,
  secretWeaknessDiagnostic,
} from "./runtime/secret-strength.js";
export type {
  FileEntry,
  FileStat,
  GetManyOptions,
  PausableWorkspace,
  RequestedFile,
  RuntimeCapabilities,
  RuntimeWorkspace,
  StagedSkill,
  WorkspaceRuntime,
} from "./runtime/workspace-runtime.js";
export { Secret } from "./secret.js";
export { changedSession } from "./session/changed-session.js";
export type { SessionChange, SessionRecord, SessionScope, SessionStore } from "./session/session-store.js";
export {
  applyStateDeltas,
  type SessionState,
  SKILL_STATE_KEYS,
  type StateDelta,
} from "./session/state-delta.js";
export { type SharedWork, sharedWork } from "./shared-work.js";
export { shownDiagnostic, shownLine, shownText, shownValue } from "./shown-text.js";
export { type EditedSkill, editSkill } from "./skill/edit-skill.js";
export type { SkillExecutable, SkillParameter, SkillReturn } from "./skill/fields/executable-fields.js";
export type { OpenClawFields, SkillVariable } from "./skill/fields/openclaw-fields.js";
export { type SkillFields, skillFields } from "./skill/fields/skill-fields.js";
export type { SkillTrigger } from "./skill/fields/triggers.js";
export {
  type ManifestFile,
  manifestDigest,
  manifestSize,
  SKILL_LIMITS,
  type SkillManifest,
  skillManifest,
} from "./skill/manifest.js";
export { parseLoadedSkill } from "./skill/parse-loaded-skill.js";
export { type ParsedSkill, type ParseSkillResult, parseSkill } from "./skill/parse-skill.js";
export { type SkillText, serializeSkill } from "./skill/serialize-skill.js";
export { type BrokenSkill, isSkillDocument, type Skill, type SkillSummary } from "./skill/skill.js";
export { withSkillDirectory } from "./skill/skill-directory-names.js";
export { isSkillName } from "./skill/skill-name.js";
export { type ValidateSkillOptions, type ValidationProfile, validateSkill } from "./skill/validate-skill.js";
export { verifiedContent, verifiedStream } from "./skill/verified-content.js";
export { SkillError, type SkillErrorCode, type SkillErrorOptions } from "./skill-error.js";
export { type SpanAttributes, type SpanName, withSpan, withSpanSync } from "./span.js";
export { spanned } from "./spanned.js";
export type { Approval, ApprovalChange, ApprovalDecision, ApprovalRequest } from "./tool/approval.js";
export type { CommandPolicy, CommandQuestion, CommandVerdict } from "./tool/command-policy.js";
export type { SkillTool, ToolContext, ToolResult } from "./tool/skill-tool.js";
export type { TrustStore } from "./tool/trust-store.js";
export { userTrust } from "./tool/user-trust.js";
export { SKILL_LINKS, WORKSPACE_LAYOUT } from "./workspace/workspace-layout.js";
export {
  checkWorkspaceId,
  type WorkspaceLease,
  type WorkspaceRecord,
  type WorkspaceRegistry,
} from "./workspace/workspace-registry.js";
export type {
  CollectedFile,
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
