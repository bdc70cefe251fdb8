import type { CallOptions } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { SessionScope } from "../session/state-delta.js";

/** One file to be written or removed. */
export interface ApprovalChange {
  readonly path: string;
  /** A file of a workspace that is written as a whole is `added`, even if it replaces one. */
  readonly change: "added" | "changed" | "removed";
  /** The text before the change. Missing for a new file, one that is no text, and one that is too long to be shown. */
  readonly before?: string;
  /** The text after the change. Missing for a removed file, one that is no text, and one that is too long to be shown. */
  readonly after?: string;
}

/** A question whether something is allowed. */
export interface ApprovalRequest {
  /** The conversation that asks: application, user and session. */
  readonly session: SessionScope;
  /** Id of the tool call that asks, as the model's server names it. Missing where it is unknown. */
  readonly callId?: string;
  /** `install`: packages that the skill locks. */
  readonly action: "run" | "write" | "install";
  readonly skill?: string;
  /** Digest of the skill's files, or of the content to be written. The decision applies to this digest only. */
  readonly digest?: string;
  /** The repository that the skill comes from. */
  readonly source?: string;
  /** The command, the path to be written, or the packages to be installed with their versions. */
  readonly subject: string;
  /** The reason to show to the person: `This skill comes with the project and was not approved yet.` */
  readonly reason: string;
  /**
   * For a change to a skill, and for a file to be written: the files, with texts of at most 64 KiB each and 256 KiB together. For a
   * skill that is to run: its files that changed since the last approval, without texts.
   */
  readonly changes?: readonly ApprovalChange[];
  /** For a change to a skill: the linter's findings in the skill after the change, each with the text around it. */
  readonly findings?: readonly (Diagnostic & { readonly excerpt?: string })[];
}

export interface ApprovalDecision {
  readonly allowed: boolean;
  /** Shown to the model when it was refused. */
  readonly reason?: string;
}

/** Asks a person or a policy. A rejection or exception counts as a refusal. */
export type Approval = (request: ApprovalRequest, options?: CallOptions) => Promise<ApprovalDecision>;
