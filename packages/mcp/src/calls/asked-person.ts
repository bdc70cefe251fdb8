import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { SkillError } from "@skillwright/core";
import { shownText } from "@skillwright/core/adapter";
import type { ApprovalAnswer, ApprovalQuestion, ApprovalScope } from "@skillwright/tools";
import type { CallRound, HostSession } from "../session/host-session.js";
import { type CallParts, refusedCall } from "./tool-call.js";

/** A round that ends with a question to the person. */
export type AskedRound = CallRound & { readonly question: string };

const REFUSE = "Refuse";
const CHOICES: Readonly<Record<ApprovalScope, string>> = {
  once: "Allow once",
  digest: "Allow this version of it until the session ends",
  source: "Allow everything from this source until the session ends",
};
const REMEDY =
  "Use a host that can show questions of its servers (elicitation), or have the skill's source trusted.";

/** Asks the person through the host, or refuses where the host cannot ask. */
export async function askedPerson(
  round: AskedRound,
  ctx: ServerContext,
  { server, session, options }: CallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const question = await session.approvals.get(session.scope, round.question);
  if (!question) throw new SkillError("CONFLICT", "The question was withdrawn. Make the call again.");
  if (!canAsk(server, ctx)) {
    await session.approvals.forget(session.scope, [round.question]);
    const { reason } = question.request;
    const remedy = options.approvalRemedy ?? REMEDY;
    return refusedCall("REFUSED", `${reason} This host cannot ask a person, so nothing was done. ${remedy}`);
  }
  const answers = [...question.choices.map((scope) => CHOICES[scope]), REFUSE];
  return inputRequired({
    inputRequests: {
      [round.question]: inputRequired.elicit({
        message: questionText(question),
        requestedSchema: {
          type: "object",
          properties: { answer: { type: "string", title: "Answer", enum: answers } },
          required: ["answer"],
        },
      }),
    },
    requestState: await session.rounds.mint(round),
  });
}

/** A client of the current revision sends its capabilities with each request, an earlier client sends them once at the start. */
export function capabilitiesOf(
  { server }: CallParts["server"],
  { mcpReq }: ServerContext,
): ClientCapabilities {
  const said = (mcpReq.envelope as Readonly<Record<string, ClientCapabilities>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  return said ?? server.getClientCapabilities() ?? {};
}

export function canAsk(server: CallParts["server"], ctx: ServerContext): boolean {
  const { elicitation } = capabilitiesOf(server, ctx);
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Stores the person's answer. Every answer that was not offered is a refusal. */
export async function takeAnswer(
  { question: id }: AskedRound,
  ctx: ServerContext,
  { approvals, scope }: HostSession,
): Promise<void> {
  const question = await approvals.get(scope, id);
  if (!question || question.answer) return;
  const { digest } = question.request;
  await approvals.decide(scope, id, { digest, answer: answerOf(question, ctx) });
}

function answerOf({ id, choices }: ApprovalQuestion, ctx: ServerContext): ApprovalAnswer {
  const given = inputResponse(ctx.mcpReq.inputResponses, id);
  if (given.kind !== "elicit") return { refuse: "The host gave no answer." };
  if (given.action !== "accept") return { refuse: "The person declined." };
  const chosen = choices.find((scope) => CHOICES[scope] === given.content?.["answer"]);
  return chosen ? { allow: chosen } : { refuse: "The person refused." };
}

function questionText({ request, staleDigest }: ApprovalQuestion): string {
  const { action, skill, source, subject, reason, digest, changes = [] } = request;
  const what = {
    run: "Run this command?",
    write: "Write this file?",
    install: "Install these packages?",
  }[action];
  const lines = [
    reason,
    ...(staleDigest === undefined ? [] : ["Its content changed since it was first asked."]),
    "",
    what,
    subject,
    "",
    ...(skill === undefined ? [] : [`Skill: ${skill}`]),
    ...(source === undefined ? [] : [`Source: ${source}`]),
    ...(digest === undefined ? [] : [`Digest: ${digest}`]),
    ...changes.slice(0, 20).map(({ path, change }) => `${change}: ${path}`),
  ];
  return shownText(lines.join("\n").slice(0, 4000)).trim();
}
