import {
  type Approval,
  type ApprovalDecision,
  type ApprovalRequest,
  SkillError,
  type ToolContext,
  type TrustStore,
} from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import type {
  ApprovalQuestion,
  ApprovalScope,
  ApprovedFiles,
  StoredApprovals,
} from "../approvals/approval-question.js";
import { userTrust } from "./user-trust.js";

/** The question without the caller's identity, which the context provides. */
type Question = Omit<ApprovalRequest, "session" | "callId"> & {
  /** The files that the digest stands for. */
  readonly files?: ApprovedFiles | undefined;
};

/** The single way in which tools ask for approval. */
export interface ApprovalDesk {
  /**
   * Returns after an approval. @throws SkillError `REFUSED` with the reason, or with `details.approval` where a stored
   * question waits for its answer; `ABORTED`.
   */
  ask(request: Question, context: ToolContext): Promise<void>;
  /**
   * Like `ask`, but approvals are remembered per user and digest: for the lifetime of the desk, and in the trust store
   * where there is one. Refusals are not remembered.
   */
  askOnce(request: Question & { readonly digest: string }, context: ToolContext): Promise<void>;
}

interface DeskParts {
  readonly approval?: Approval | undefined;
  /** Questions are stored here instead of asking `approval`. */
  readonly approvals?: StoredApprovals | undefined;
  readonly trust?: TrustStore | undefined;
  /** True where approvals in the store apply to every user. */
  readonly sharedTrust?: boolean | undefined;
}

export function approvalDesk(parts: DeskParts): ApprovalDesk {
  const { approval, approvals, trust: store, sharedTrust = false } = parts;
  const allowed = new Map<string, Promise<void>>();

  /** Calls that wait for the same answer share it. When the call that asked aborts, the next one asks again. */
  const askOnce: ApprovalDesk["askOnce"] = async (request, context) => {
    // What is stored is shared and remembered by its store.
    if (approvals) return await askUnlessTrusted(request, context);
    const { app, user } = context.session;
    const key = JSON.stringify([app, user, request.action, request.digest]);
    for (let known = allowed.get(key); known; known = allowed.get(key))
      try {
        return await untilAborted(known, context.signal);
      } catch (error) {
        if (context.signal?.aborted || !SkillError.is(error, "ABORTED")) throw error;
      }
    const asked = askUnlessTrusted(request, context);
    allowed.set(key, asked);
    asked.catch(() => allowed.delete(key));
    await asked;
  };

  async function askUnlessTrusted(
    request: Question & { readonly digest: string },
    context: ToolContext,
  ): Promise<void> {
    const { digest, source } = request;
    const { signal, session } = context;
    if (!store || source === undefined) return void (await answered(request, context));
    const trust = sharedTrust ? store : userTrust(store, session);
    // An approval to write does not allow running.
    const place = request.action === "run" ? source : `${request.action}:${source}`;
    if (await trust.isAllowed(digest, place, { signal })) return;
    if ((await answered(request, context)) === "once") return;
    await trust.allow(digest, place, { signal });
  }

  /** Returns what the approval covers. */
  async function answered(given: Question, { signal, session, callId }: ToolContext): Promise<ApprovalScope> {
    const { files, ...question } = given;
    const request = { session, ...(callId === undefined ? {} : { callId }), ...question };
    if (approvals) return allowedScope(await approvals.ask(request, { files, signal }));
    const [does, doing] = request.action === "run" ? ["does not run", "Running"] : ["is not done", "Doing"];
    if (!approval) throw refused(`${request.reason} There is nobody to ask here, so it ${does}.`);
    let decision: ApprovalDecision;
    try {
      decision = await untilAborted(approval(request, { signal }), signal);
    } catch (cause) {
      if (signal?.aborted) throw new SkillError("ABORTED", "The question was withdrawn.", { cause });
      decision = { allowed: false, reason: "The question could not be answered." };
    }
    if (decision?.allowed !== true)
      throw refused(`${request.reason} ${doing} it was not allowed${because(decision?.reason)}.`);
    return "digest";
  }

  return { ask: async (question, context) => void (await answered(question, context)), askOnce };
}

/** @throws SkillError `REFUSED` for an open question and for a refusal. */
function allowedScope({ id, request, answer, staleDigest }: ApprovalQuestion): ApprovalScope {
  if (!answer) {
    const again = staleDigest === undefined ? "" : " Its content changed since it was first asked.";
    const message = `${request.reason}${again} It waits for the approval of a person, and nothing was done. Tell the user, and make the same call again once they have decided.`;
    throw new SkillError("REFUSED", message, { details: { approval: id, retry: true } });
  }
  if ("allow" in answer) return answer.allow;
  const doing = request.action === "run" ? "Running" : "Doing";
  throw refused(`${request.reason} ${doing} it was not allowed${because(answer.refuse)}.`);
}

/** Returns the reason of a person as the end of a sentence, without the full stop that it may have. */
function because(reason: string | undefined): string {
  const text = reason?.trim().replace(/[.!\s]+$/, "") ?? "";
  return text === "" ? "" : `: ${text}`;
}

function refused(message: string): SkillError {
  return new SkillError("REFUSED", `${message} Do not try again unless the user says so.`);
}
