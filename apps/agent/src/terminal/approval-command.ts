import { type CallOptions, SkillError } from "@skillwright/core";
import type { ApprovalAnswer, ApprovalQuestion } from "@skillwright/tools";
import type { App } from "./app.js";
import { escaped } from "./escaped-rows.js";
import type { Screen } from "./screen.js";
import type { ServedQuestions } from "./served-questions.js";
import { showRequest } from "./terminal-approval.js";

interface ApprovalContext {
  readonly screen: Screen;
  readonly app: App;
  readonly signal: AbortSignal;
}

/** Lists the questions for which conversations of a server wait; with an id shows or answers one. */
export async function approvalCommand(context: ApprovalContext, argument: string): Promise<void> {
  const { questions } = context.app;
  if (!questions) throw noneHere();
  const [first = "", second = "", ...words] = argument.split(/\s+/);
  if (first === "") return await list(context, questions);
  const isAnswer = first === "once" || first === "always" || first === "refuse";
  const question = await chosen(questions, isAnswer ? second : first, context);
  if (!isAnswer) return show(context, question);
  const answer: ApprovalAnswer =
    first === "refuse"
      ? { refuse: words.join(" ") }
      : { allow: first === "once" ? "once" : lasting(question) };
  await decide(context, questions, question, answer);
}

/** The questions that a person has seen, by id: only these can be allowed. */
const seen = new WeakMap<App, Map<string, ApprovalQuestion>>();

const ID_LENGTH = 8;

async function list({ screen, signal }: ApprovalContext, questions: ServedQuestions): Promise<void> {
  const open = await questions.list({ signal });
  if (open.length === 0) return screen.prose("  No questions wait for your answer.");
  for (const { id, request, createdAt } of open) {
    const what = request.skill ? `${escaped(request.skill)}  ${escaped(request.source ?? "")}` : "no skill";
    screen.line(
      `  ${shortId(request.session.session)}  ${shortOf(id)}  ${request.action}  ${what}, ${createdAt}`,
    );
  }
  screen.prose(
    "  /approvals ID shows one; /approvals once ID, /approvals always ID and /approvals refuse ID REASON answer it.",
  );
}

function show({ screen, app }: ApprovalContext, question: ApprovalQuestion): void {
  const { id, request, staleDigest } = question;
  showRequest(screen, request);
  if (staleDigest) screen.prose("      The skill has changed since it was asked for at first.", 6);
  seen.set(app, (seen.get(app) ?? new Map()).set(id, question));
  screen.prose(
    `  /approvals once ${shortOf(id)} allows it now, /approvals always ${shortOf(id)} until the skill changes, /approvals refuse ${shortOf(id)} REASON refuses it.`,
  );
}

/** What lasts longest of that which may be chosen. */
function lasting({ choices, id }: ApprovalQuestion): "source" | "digest" {
  if (choices.includes("source")) return "source";
  if (choices.includes("digest")) return "digest";
  throw new SkillError(
    "INPUT_INVALID",
    `This can be allowed once only, since it belongs to no skill: /approvals once ${shortOf(id)}`,
  );
}

async function decide(
  { screen, app, signal }: ApprovalContext,
  questions: ServedQuestions,
  question: ApprovalQuestion,
  answer: ApprovalAnswer,
): Promise<void> {
  const shown = seen.get(app)?.get(question.id);
  if ("allow" in answer && !shown)
    throw new SkillError(
      "REFUSED",
      `The question was not shown here yet. Look at it first: /approvals ${shortOf(question.id)}`,
    );
  // The answer is for what was shown, although the question may be another by now.
  await questions.answer(shown ?? question, answer, { signal });
  const done = "refuse" in answer ? "It was refused." : ALLOWED[answer.allow];
  screen.prose(`  ${done} The conversation goes on when the server next opens it.`);
}

const ALLOWED = {
  once: "It was allowed once.",
  digest: "It was allowed until the skill changes.",
  source: "Everything of its source was allowed.",
} as const;

async function chosen(
  questions: ServedQuestions,
  given: string,
  { signal }: CallOptions,
): Promise<ApprovalQuestion> {
  const open = given === "" ? [] : await questions.list({ signal });
  const [one, ...more] = open.filter(({ id }) => shortOf(id).startsWith(given) || id === given);
  if (one && more.length === 0) return one;
  const why = one ? "More than one open question has" : "No open question has";
  throw new SkillError(
    "INPUT_INVALID",
    `${why} an id that begins with ${JSON.stringify(given)}. /approvals lists the ids.`,
  );
}

function shortId(id: string): string {
  return escaped(id).slice(0, ID_LENGTH).padEnd(ID_LENGTH);
}

/** Ids of one conversation begin alike. */
function shortOf(id: string): string {
  return id.slice(-ID_LENGTH);
}

function noneHere(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "Questions do not wait here, because there is no home folder that keeps the conversations of a server. Set HOME.",
  );
}
