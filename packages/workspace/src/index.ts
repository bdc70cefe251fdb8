export type { BootstrapCache } from "./bootstrap/bootstrap-cache.js";
export type {
  BootstrapFile,
  BootstrapSkill,
  BootstrapStep,
  BootstrapSteps,
} from "./bootstrap/bootstrap-step.js";
export { fsBootstrapCache } from "./bootstrap/fs-bootstrap-cache.js";
export type { Clock } from "./clock.js";
export type { EnvironmentKind, EnvironmentNeed, NeededPackage } from "./environment/environment-need.js";
export {
  type EnvironmentFacts,
  type EnvironmentStore,
  environmentStore,
  type StoredEnvironment,
} from "./environment/environment-store.js";
export type { NamedNeed } from "./environment/named-needs.js";
export { type SkillEnvironmentNeeds, skillEnvironmentNeeds } from "./environment/skill-environment-needs.js";
export type { SweepResult } from "./lifecycle/sweep-workspaces.js";
export type { PolicyLimits } from "./policy/operation-bounds.js";
export {
  archiveAndDestroy,
  destroy,
  keep,
  type PolicyAction,
  pause,
  type WorkspaceArchive,
} from "./policy/policy-action.js";
export { idleFor, largerThan, moreThan, olderThan, type PolicyCondition } from "./policy/policy-condition.js";
export type { PolicyWorkspace } from "./policy/policy-workspace.js";
export { destroyWhenIdle, policy, type WorkspacePolicy } from "./policy/workspace-policy.js";
export type { SkillEnvironment } from "./run/run-rules.js";
export type { SnapshotLimits } from "./snapshot/snapshot-limits.js";
export type { SnapshotRecord } from "./snapshot/snapshot-record.js";
export type { SnapshotSink, WorkspaceSnapshot } from "./snapshot/take-snapshot.js";
export type {
  RestoredWorkspace,
  RestoreOptions,
  WorkspaceSnapshots,
} from "./snapshot/workspace-snapshots.js";
export { type WorkspaceManager, workspaceManager } from "./workspace-manager.js";
export type { WorkspaceManagerOptions } from "./workspace-manager-options.js";
