import type { ApprovalRequest, CallOptions, SessionScope } from "@skillwright/core";

/**
 * What an approval covers: this call only (`once`), the same digest from the same source (`digest`), or everything of
 * the source (`source`).
 */
export type ApprovalScope = "once" | "digest" | "source";

export type ApprovalAnswer =
  | { readonly allow: ApprovalScope }
  /** The reason is shown to the model; it may be empty. */
  | { readonly refuse: string };

/** A stored question to a person. Plain data. */
export interface ApprovalQuestion {
  /** The same for each attempt of one tool call to do one thing. */
  readonly id: string;
  /**
   * Who asks, for what, and why. `changes` are the skill's files compared with the last digest of it that this user
   * approved; missing where there was none.
   */
  readonly request: ApprovalRequest;
  /** The digest that `changes` start from. */
  readonly approvedDigest?: string;
  /** The answers that are possible, besides a refusal. */
  readonly choices: readonly ApprovalScope[];
  /**
   * The digest that was asked for at first, where the content changed before the approval was used: an answer to that
   * question no longer counts.
   */
  readonly staleDigest?: string;
  /** ISO 8601 time. */
  readonly createdAt: string;
  readonly answer?: ApprovalAnswer;
}

/** An approval that also counts for later calls. Plain data. */
export interface LastingApproval {
  readonly id: string;
  readonly covers: "digest" | "source";
  /** What it allows, as in `ApprovalRequest`. */
  readonly action: ApprovalRequest["action"];
  readonly skill?: string;
  readonly source?: string;
  /** ISO 8601 time. */
  readonly at: string;
}

/** Questions that wait for a person, each in the records of its user. */
export interface StoredApprovals {
  /** Open questions of the user, or of one session of the user; oldest first. */
  list(
    owner: Pick<SessionScope, "app" | "user"> & { readonly session?: string },
    options?: CallOptions,
  ): Promise<readonly ApprovalQuestion[]>;
  /** Also an answered question. `undefined` for an unknown id and for one of another user. */
  get(
    owner: Pick<SessionScope, "app" | "user">,
    id: string,
    options?: CallOptions,
  ): Promise<ApprovalQuestion | undefined>;
  /**
   * Stores the answer, in whatever process. Repeating the same answer changes nothing.
   * @param decision `digest` is that of the question as it was shown; missing for a question without one.
   * @throws SkillError `INPUT_INVALID` for an unknown id and an answer that is not among the choices; `CONFLICT` where
   * the question was answered otherwise, or is stale because the content has another digest now.
   */
  decide(
    owner: Pick<SessionScope, "app" | "user">,
    id: string,
    decision: { readonly digest?: string | undefined; readonly answer: ApprovalAnswer } & CallOptions,
  ): Promise<ApprovalQuestion>;
  /** The user's approvals that also count for later calls, oldest first. */
  lasting(
    owner: Pick<SessionScope, "app" | "user">,
    options?: CallOptions,
  ): Promise<readonly LastingApproval[]>;
  /** Takes back such an approval, so that the next call asks again. Returns `false` if the user has none with this id. */
  revoke(owner: Pick<SessionScope, "app" | "user">, id: string, options?: CallOptions): Promise<boolean>;
  /** Removes questions of a session with their answers: those with these ids, or all. Approvals that last stay. */
  forget(session: SessionScope, ids?: readonly string[], options?: CallOptions): Promise<void>;
  /**
   * Finds the answer to a request, and stores the question where there is none. For the tools; an application has no
   * need of it. `files` are those that the digest stands for.
   * @throws SkillError `LIMIT_EXCEEDED` where 100 questions of the session are stored.
   */
  ask(
    request: ApprovalRequest,
    options?: CallOptions & { readonly files?: ApprovedFiles | undefined },
  ): Promise<ApprovalQuestion>;
}

/** SHA-256 by path. */
export type ApprovedFiles = Readonly<Record<string, string>>;
