import {
  type ApprovalRequest,
  type CallOptions,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";
import { recordsInMemory, storedRecords } from "../stored-records.js";
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalScope,
  ApprovedFiles,
  StoredApprovals,
} from "./approval-question.js";
import { hash, lastingApprovals } from "./lasting-approvals.js";

export interface StoredApprovalsOptions {
  /** Keeps questions and answers after the process has ended, such as `recordSessions`. Defaults to this process's memory. */
  readonly sessions?: SessionStore | undefined;
  /** True where a person may approve everything of the request's source, for good. Defaults to never. */
  readonly mayAllowSource?: ((request: ApprovalRequest) => boolean) | undefined;
}

type Owner = Pick<SessionScope, "app" | "user">;

interface Held {
  readonly question: ApprovalQuestion;
  readonly files?: ApprovedFiles | undefined;
  readonly revision: number;
}

/**
 * Stores questions, answers and lasting approvals in a session store: those of each user in records of their own, under
 * the application's name with `/approvals`. All processes that share the store see the same.
 */
export function storedApprovals({ sessions, mayAllowSource }: StoredApprovalsOptions = {}): StoredApprovals {
  const store = sessions ?? recordsInMemory();
  const records = storedRecords(store, "question");
  const lasting = lastingApprovals(store);

  const ask: StoredApprovals["ask"] = async (request, { files, signal } = {}) => {
    const owner = ownerOf(request.session);
    const id = idOf(request);
    const covered = (await lasting.of(owner, { signal }))(request);
    const held = await read(owner, id, { signal });
    const isStale = held && held.question.request.digest !== request.digest;
    if (covered) return { ...(isStale || !held ? asked() : held.question), answer: { allow: covered } };
    if (held && !isStale) return held.question;
    if (!held) await checkPlace(owner, request.session, { signal });
    const since = files && (await lasting.changes(owner, request, files, { signal }));
    const question: ApprovalQuestion = {
      ...asked(),
      ...(since && { approvedDigest: since.approvedDigest, request: { changes: since.changes, ...request } }),
      ...(isStale && held.question.request.digest && { staleDigest: held.question.request.digest }),
    };
    try {
      await records.write({ ...owner, session: id }, { question, files }, held?.revision ?? 0, { signal });
      return question;
    } catch (error) {
      // Another process asked or answered at the same time, so that its question counts.
      if (!SkillError.is(error, "CONFLICT")) throw error;
      return await ask(request, { files, signal });
    }

    function asked(): ApprovalQuestion {
      return { id, request, choices: choicesOf(request), createdAt: new Date().toISOString() };
    }
  };

  /** Those that were answered count until their turn has ended. */
  async function checkPlace(owner: Owner, session: SessionScope, options: CallOptions): Promise<void> {
    const asked = (await store.list(owner, options)).filter(
      (id) => isId(id) && id.startsWith(prefixOf(session)),
    );
    if (asked.length >= MAX_QUESTIONS) throw tooMany();
  }

  function choicesOf(request: ApprovalRequest): readonly ApprovalScope[] {
    if (request.digest === undefined) return ["once"];
    const source = request.action !== "write" && request.source !== undefined && mayAllowSource?.(request);
    return source ? ["once", "digest", "source"] : ["once", "digest"];
  }

  async function read(owner: Owner, id: string, options: CallOptions): Promise<Held | undefined> {
    const record = isId(id) ? await records.read({ ...owner, session: id }, options) : undefined;
    return record && { ...(record.value as unknown as Omit<Held, "revision">), revision: record.revision };
  }

  const list: StoredApprovals["list"] = async (asker, options = {}) => {
    const owner = ownerOf(asker);
    const { app, user, session } = asker;
    const prefix = session === undefined ? "" : prefixOf({ app, user, session });
    const ids = (await store.list(owner, options)).filter((id) => isId(id) && id.startsWith(prefix));
    if (ids.length === 0) return [];
    const covered = await lasting.of(owner, options);
    const found = await Promise.all(ids.map(async (id) => (await read(owner, id, options))?.question));
    return found
      .filter((one) => one !== undefined)
      .filter(({ answer, request }) => !answer && !covered(request))
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  };

  const decide: StoredApprovals["decide"] = async (asker, id, { digest, answer, signal }) => {
    const owner = ownerOf(asker);
    const held = await read(owner, id, { signal });
    if (!held) throw unknown(id);
    const { question, files, revision } = held;
    if (question.request.digest !== digest) throw stale(question, digest);
    if ("allow" in answer && !question.choices.includes(answer.allow)) throw noChoice(question, answer.allow);
    if (question.answer && !isSame(question.answer, answer)) throw answered(question);
    const decided = { ...question, answer };
    if (!question.answer)
      try {
        await records.write({ ...owner, session: id }, { question: decided, files }, revision, { signal });
      } catch (error) {
        if (!SkillError.is(error, "CONFLICT")) throw error;
        // Another process answered, or the content changed: the next look says which.
        return await decide(asker, id, { digest, answer, signal });
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
    get: async (asker, id, options = {}) => (await read(ownerOf(asker), id, options))?.question,
    lasting: (asker, options = {}) => lasting.list(ownerOf(asker), options),
    revoke: (asker, id, options = {}) => lasting.revoke(ownerOf(asker), id, options),
    forget: async (session, ids, options = {}) => {
      const owner = ownerOf(session);
      const own = (ids ?? (await store.list(owner, options))).filter(
        (id) => isId(id) && id.startsWith(prefixOf(session)),
      );
      for (const id of own) await records.remove({ ...owner, session: id }, options);
    },
  };
}

function ownerOf({ app, user }: Owner): Owner {
  return { app: `${app}/approvals`, user };
}

const PREFIX = 16;
const MAX_QUESTIONS = 100;

/** The first half stands for the session, so that its questions are found without reading all of them. */
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
