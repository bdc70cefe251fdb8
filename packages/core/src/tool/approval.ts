import type { CallOptions } from "../closable.js";
import type { LintFinding } from "../lint/lint-finding.js";
import type { SessionScope } from "../session/session-store.js";

/** One file that would be written or removed. */
export interface ApprovalChange {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
}

/** What somebody is asked to allow. */
export interface ApprovalRequest {
  /** Whose conversation asks: application, user and session. */
  readonly session: SessionScope;
  /** The tool call that asks, as the model's server names it; missing where nobody said. */
  readonly callId?: string;
  readonly action: "run" | "write";
  readonly skill?: string;
  /** Of the skill's files, or of what would be written; the decision holds for this digest only. */
  readonly digest?: string;
  /** The repository the skill comes from. */
  readonly source?: string;
  /** The command, or the path that would be written. */
  readonly subject: string;
  /** Why it is asked, for the person: `This skill comes with the project and was not approved yet.` */
  readonly reason: string;
  /** Of a change to a skill: its files. */
  readonly changes?: readonly ApprovalChange[];
  /** Of a change to a skill: what the linter found in the skill as it would be. */
  readonly findings?: readonly LintFinding[];
}

export interface ApprovalDecision {
  readonly allowed: boolean;
  /** Told to the model where it was refused. */
  readonly reason?: string;
}

/** Asks a person or a policy. Rejecting or throwing counts as a refusal. */
export type Approval = (request: ApprovalRequest, options?: CallOptions) => Promise<ApprovalDecision>;
