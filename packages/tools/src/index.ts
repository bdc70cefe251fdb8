export { type CallableTool, callableTools } from "./adapter/callable-tools.js";
export type { ToolCall, ToolCallOptions } from "./adapter/tool-calls.js";
export type {
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalScope,
  ApprovedFiles,
  LastingApproval,
  StoredApprovals,
} from "./approvals/approval-question.js";
export { type StoredApprovalsOptions, storedApprovals } from "./approvals/stored-approvals.js";
export { waitingApproval } from "./approvals/waiting-approval.js";
export type { InteractiveOptions } from "./interactive/started-runs.js";
export type { SkillManageOptions } from "./manage/manage-options.js";
export type { Review } from "./manage/reviewed-change.js";
export type { SkillChange, SkillProposal, SkillProposals } from "./manage/skill-proposal.js";
export { type SkillProposalsOptions, skillProposals } from "./manage/skill-proposals.js";
export type { ProposedFile } from "./manage/support-file.js";
export { userTrust } from "./permission/user-trust.js";
export type { MustAskToWrite } from "./permission/write-permission.js";
export {
  type CommandPolicy,
  type CommandPolicyOptions,
  type CommandQuestion,
  type CommandVerdict,
  commandPolicy,
} from "./policy/command-policy.js";
export {
  type RepeatedFailureOptions,
  repeatedFailureGuard,
  stopRepeatedFailures,
} from "./repeated-failures.js";
export type { MustAsk, MustAskQuestion } from "./run/run-gate.js";
export { runHints } from "./run/run-hints.js";
export type { SkillToolsPreset } from "./skill/knowledge-tools.js";
export { equivalentTool, namedToolsLine } from "./skill/named-tools.js";
export { skillTools } from "./skill-tools.js";
export type { SkillToolsOptions } from "./skill-tools-options.js";
export { type SkillToolset, skillToolset } from "./skill-toolset.js";
