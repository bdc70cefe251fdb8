import type { CallOptions, RecordStore } from "@skillwright/core";
import { type ApprovalAnswer, type ApprovalQuestion, storedApprovals } from "@skillwright/tools";

/** Questions to this person for which conversations of a server on this machine wait, also of one that has ended. */
export interface ServedQuestions {
  /** Oldest first. */
  list(options: CallOptions): Promise<readonly ApprovalQuestion[]>;
  /** @throws SkillError as `decide` of `storedApprovals`. */
  answer(question: ApprovalQuestion, answer: ApprovalAnswer, options: CallOptions): Promise<void>;
}

export function servedQuestions(records: RecordStore): ServedQuestions {
  const approvals = storedApprovals({ records });
  return {
    list: async (options) => await approvals.list(OWNER, options),
    answer: async ({ id, request: { digest } }, answer, { signal }) => {
      await approvals.decide(OWNER, id, { digest, answer, signal });
    },
  };
}

/** The defaults of `agentServer`, which has one user here. */
const OWNER = { app: "skillwright", user: "local" };
