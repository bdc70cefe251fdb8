import {
  type ApprovalRequest,
  type CallOptions,
  type RecordStore,
  type SessionScope,
  SkillError,
} from "@skillwright/core";
import { measureApproval } from "@skillwright/core/adapter";
import { recordValues } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalScope,
  ApprovedFiles,
  StoredApprovals,
} from "./approval-question.js";
import { hash, lastingApprovals } from "./lasting-approvals.js";

export interface StoredApprovalsOptions {
  /** The store of questions and answers, such as `fsRecords`. Defaults to the memory of this process. */
  readonly records?: RecordStore | undefined;
  /** True where a person may approve everything of the request's source, for good. Defaults to never. */
  readonly mayAllowSource?: ((request: ApprovalRequest) => boolean) | undefined;
}

type Owner = Pick<SessionScope, "app" | "user">;

interface Stored {
  readonly question: ApprovalQuestion;
  readonly files?: ApprovedFiles | undefined;
}

/**
 * Stores questions, answers and lasting approvals, separately for each user. All processes that share the store see the same ones.
 */
export function storedApprovals({
  records = memoryRecords(),
  mayAllowSource,
}: StoredApprovalsOptions = {}): StoredApprovals {
  const questions = recordValues<Stored>(records, "question");
  const lasting = lastingApprovals(records);

  const ask: StoredApprovals["ask"] = async (request, { files, signal } = {}) => {
    const owner = request.session;
    const id = idOf(request);
    const covered = (await lasting.of(owner, { signal }))(request);
    const held = await read(owner, id, { signal });
    const before = held?.value.question;
    const isStale = before && before.request.digest !== request.digest;
    if (covered) return { ...(isStale || !before ? asked() : before), answer: { allow: covered } };
    if (before && !isStale) return before;
    if (!before) await checkPlace(request.session, { signal });
    const since = files && (await lasting.changes(owner, request, files, { signal }));
    const question: ApprovalQuestion = {
      ...asked(),
      ...(since?.approvedDigest && { approvedDigest: since.approvedDigest }),
      ...(since && { request: { changes: since.changes, ...request } }),
      ...(isStale && before.request.digest && { staleDigest: before.request.digest }),
    };
    if (
      await questions.put(keyOf(owner, id), { question, files }, { from: held?.revision ?? null }, { signal })
    )
      return question;
    // Another process asked or answered at the same time, so that its question counts.
    return await ask(request, { files, signal });

    function asked(): ApprovalQuestion {
      return { id, request, choices: choicesOf(request), createdAt: new Date().toISOString() };
    }
  };

  /** Those that were answered count until their turn has ended. */
  async function checkPlace(session: SessionScope, options: CallOptions): Promise<void> {
    if ((await all(session, options)).length >= MAX_QUESTIONS) throw tooMany();
  }

  /** The questions of the user, or of one session. */
  async function all({ app, user, session }: Parameters<StoredApprovals["list"]>[0], options: CallOptions) {
    const prefix = session === undefined ? "" : prefixOf({ app, user, session });
    const found: ApprovalQuestion[] = [];
    for await (const { name, value } of questions.list(questionsOf({ app, user }), options))
      if (name.startsWith(prefix)) found.push(value.question);
    return found;
  }

  function choicesOf(request: ApprovalRequest): readonly ApprovalScope[] {
    if (request.digest === undefined) return ["once"];
    const source = request.action !== "write" && request.source !== undefined && mayAllowSource?.(request);
    return source ? ["once", "digest", "source"] : ["once", "digest"];
  }

  const read = async (owner: Owner, id: string, options: CallOptions) =>
    isId(id) ? await questions.get(keyOf(owner, id), options) : undefined;

  const list: StoredApprovals["list"] = async (asker, options = {}) => {
    const asked = await all(asker, options);
    if (asked.length === 0) return [];
    const covered = await lasting.of(asker, options);
    return asked
      .filter(({ answer, request }) => !answer && !covered(request))
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  };

  const decide: StoredApprovals["decide"] = async (owner, id, { digest, answer, signal }) => {
    const held = await read(owner, id, { signal });
    if (!held) throw unknown(id);
    const { question, files } = held.value;
    if (question.request.digest !== digest) throw stale(question, digest);
    if ("allow" in answer && !question.choices.includes(answer.allow)) throw noChoice(question, answer.allow);
    if (question.answer && !isSame(question.answer, answer)) throw answered(question);
    const decided = { ...question, answer };
    if (!question.answer) {
      const key = keyOf(owner, id);
      if (!(await questions.put(key, { question: decided, files }, { from: held.revision }, { signal })))
        // Another process answered, or the content changed: the next look says which.
        return await decide(owner, id, { digest, answer, signal });
      const waitedMs = Date.now() - Date.parse(question.createdAt);
      measureApproval(Math.max(0, waitedMs) / 1000, "allow" in answer ? "allowed" : "refused");
    }
    // Also after a process that was killed between the two: whoever repeats the answer completes it.
    if ("allow" in answer) {
      await lasting.keep(owner, answer.allow, question.request, { signal });
      if (files) await lasting.keepContent(owner, question.request, files, { signal });
    }
    return decided;
  };

  return {
    ask,
    list,
    decide,
    get: async (owner, id, options = {}) => (await read(owner, id, options))?.value.question,
    lasting: (owner, options = {}) => lasting.list(owner, options),
    revoke: (owner, id, options = {}) => lasting.revoke(owner, id, options),
    forget: async (session, ids, options = {}) => {
      const own = ids ?? (await all(session, options)).map(({ id }) => id);
      for (const id of own)
        if (isId(id) && id.startsWith(prefixOf(session))) await questions.delete(keyOf(session, id), options);
    },
  };
}

function questionsOf({ app, user }: Owner): readonly string[] {
  return ["question", app, user];
}

function keyOf(owner: Owner, id: string): readonly string[] {
  return [...questionsOf(owner), id];
}

const PREFIX = 16;
const MAX_QUESTIONS = 100;

/** The first half stands for the session, by which its questions are told from those of other sessions. */
function idOf({ session, callId, action, skill, source, subject }: ApprovalRequest): string {
  return `${prefixOf(session)}${hash([callId, action, skill, source, subject]).slice(PREFIX)}`;
}

function prefixOf({ app, user, session }: SessionScope): string {
  return hash([app, user, session]).slice(0, PREFIX);
}

function isId(id: string): boolean {
  return /^[0-9a-f]{32}$/.test(id);
}

function isSame(a: ApprovalAnswer, b: ApprovalAnswer): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function tooMany(): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `${MAX_QUESTIONS} questions of this conversation wait for a person, and more are not asked. Wait for the answers.`,
    { details: { limit: MAX_QUESTIONS } },
  );
}

function unknown(id: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `There is no question ${JSON.stringify(id.slice(0, 80))}; it may have been withdrawn. List the open questions.`,
  );
}

function stale({ request: { subject, digest = "none" } }: ApprovalQuestion, given = "none"): SkillError {
  return new SkillError(
    "CONFLICT",
    `The question about ${JSON.stringify(subject.slice(0, 200))} is stale: the answer is for the digest ${given}, but the content now has ${digest}. Look at the question again.`,
    { details: { stale: true } },
  );
}

function answered({ answer }: ApprovalQuestion): SkillError {
  const how = answer && "allow" in answer ? `allowed (${answer.allow})` : "refused";
  return new SkillError(
    "CONFLICT",
    `The question was already answered: ${how}. An answer cannot be changed.`,
  );
}

function noChoice({ choices }: ApprovalQuestion, given: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(given)} is no answer to this question. Allow it ${choices.join(" or ")}, or refuse it.`,
  );
}
