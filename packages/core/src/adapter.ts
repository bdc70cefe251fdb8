export { abortable, checkAborted, eitherSignal, untilAborted } from "./abort.js";
export type { ArchiveEntry, ArchiveEntryKind } from "./archive/archive-entry.js";
export { fileNameProblem, foldedPath, pathSpellings } from "./archive/path-spellings.js";
export { checkArtifactScope } from "./artifact/artifact-scope.js";
export type { SaveArtifactOptions } from "./artifact/artifact-store.js";
export { type Attempt, attempts } from "./attempts.js";
export type { ContentLease, MakeContentOptions, MaterializeOptions } from "./content/content-store.js";
export { deepFreeze } from "./deep-freeze.js";
export { delegate } from "./delegate.js";
export { type DiagnosticText, pathDiagnostic } from "./diagnostic.js";
export { forEachLimited } from "./for-each-limited.js";
export { ifThere } from "./if-there.js";
export { lenientListener } from "./lenient-listener.js";
export { countOpen, countTokens, measureApproval } from "./metrics.js";
export { hasProcessEnded, processMark } from "./process-mark.js";
export { type RecentlyUsed, type RecentlyUsedLimits, recentlyUsed } from "./recently-used.js";
export {
  type CheckedChange,
  checkChange,
  checkCollection,
  checkEntries,
  checkListing,
  checkLog,
  checkRange,
  checkRecordKey,
} from "./record/check-record.js";
export { recordListeners } from "./record/record-listeners.js";
export type {
  ListedRecord,
  ListRecordsOptions,
  RecordChange,
  RecordEvent,
  RecordKey,
  RecordPage,
  RecordReading,
} from "./record/record-store.js";
export {
  brokenFolder,
  type FoundSkill,
  fileNotFound,
  folderSummary,
  inListingOrder,
  invalidSkill,
  isSummary,
  pickSkill,
  skillListing,
  skillNotFound,
} from "./repository/found-skill.js";
export { indexName } from "./repository/index-name.js";
export { lazyReader } from "./repository/lazy-reader.js";
export type { IndexChange, IndexedSummaries } from "./repository/metadata-index.js";
export { parentsOf, pathClaims } from "./repository/path-claims.js";
export { type RepositoryDiagnosticCode, repositoryDiagnostic } from "./repository/repository-diagnostics.js";
export { type ListedFile, type SkillFolder, skillFileOf, skillFolder } from "./repository/skill-folder.js";
export { skillFolders } from "./repository/skill-folders.js";
export type {
  DeletedSkill,
  RestoreOptions,
  SkillVersionOptions,
  SkillWatch,
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
  checkNewName,
  type UploadLimits,
  type UploadRules,
  uploadedSkill,
  uploadRules,
} from "./repository/upload-rules.js";
export type { RunEventLimits } from "./run-event.js";
export { checkCommand } from "./runtime/check-command.js";
export { commandEnvironment, type EnvironmentPlace } from "./runtime/command-environment.js";
export { checkEnvironmentVariable, variableText } from "./runtime/environment.js";
export { HeadTailBuffer } from "./runtime/head-tail-buffer.js";
export { PYTHON_FALLBACK, pythonFallbackDiagnostics } from "./runtime/python-fallback.js";
export { type RunOptions, run } from "./runtime/run.js";
export type { CapturedOutput, RunCommand, RunHandle } from "./runtime/run-command.js";
export { runIdOf } from "./runtime/run-id.js";
export { type SecretMasking, secretMasking } from "./runtime/secret-masking.js";
export { type SecretWeakness, secretWeakness, secretWeaknessDiagnostic } from "./runtime/secret-strength.js";
export type {
  CreateWorkspaceOptions,
  FileEntry,
  FileStat,
  GetManyOptions,
  PausableWorkspace,
  RequestedFile,
  RuntimeCapabilities,
  StagedSkill,
} from "./runtime/workspace-runtime.js";
export { type SharedWork, sharedWork, untilItWorks } from "./shared-work.js";
export { isShownRightly, shownLine, shownText } from "./shown-text.js";
export { hasControlCharacters } from "./skill/field-text.js";
export { findField } from "./skill/fields/find-field.js";
export { readSkillFields } from "./skill/fields/skill-fields.js";
export { HEADER_FORMAT } from "./skill/header-format.js";
export { manifestSize } from "./skill/manifest.js";
export { parseLoadedSkill } from "./skill/parse-skill.js";
export { withSkillDirectory } from "./skill/skill-directory-names.js";
export { readSkillDocument } from "./skill/skill-document.js";
export type { ValidateSkillOptions } from "./skill/validate-skill.js";
export { verifiedContent, verifiedStream } from "./skill/verified-content.js";
export type { YamlEntry } from "./skill/yaml-mapping.js";
export type { SkillErrorOptions } from "./skill-error.js";
export { type SpanAttributes, type SpanName, withSpan, withSpanSync } from "./span.js";
export { spanned } from "./spanned.js";
export { type TaskQueue, taskQueue } from "./task-queue.js";
export { hiddenText, visibleText } from "./visible-text.js";
export { checkWorkspaceId, isWorkspaceId } from "./workspace/workspace-id.js";
export { SKILL_LINKS, WORKSPACE_LAYOUT } from "./workspace/workspace-layout.js";
export type { LeaseOptions, WorkspaceLease, WorkspaceRecord } from "./workspace/workspace-registry.js";
