import { z } from "@hono/zod-openapi";
import type { SessionScope } from "@skillwright/core";
import type { ApprovalAnswer, ApprovalQuestion } from "@skillwright/tools";
import { endpoint, json, jsonAnswer, jsonBody, type ServerRouter } from "../http/endpoint.js";
import { closingProblem, problemResponse } from "../http/problem.js";
import { answerSchema, approvalSchema, inConversation } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";
import { approvalData } from "../turns/data-parts.js";
import { turnPaths } from "../turns/turn-paths.js";

const path = "/conversations/{conversation}/approvals";
const tags = ["approvals"];
const open = jsonAnswer("The open questions, oldest first.", z.array(approvalSchema));

/** Questions that wait for a person. The turn that asked has ended; its last answer starts the one that goes on. */
export function approvalRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, approvals, runner, draining, basePath } = parts;
  const shown = (question: ApprovalQuestion) =>
    approvalData(
      question,
      turnPaths(basePath, { scope: question.request.session, turn: "" }).decide(question.id),
    );

  endpoint(
    router,
    {
      ...{ method: "get", path: "/approvals", operationId: "listAllApprovals", tags },
      summary: "Lists the open questions of all the user's conversations.",
      responses: { 200: open },
    },
    async ({ user, signal }) => {
      const { app } = conversations.scopeOf(user.id, "");
      return json(((await approvals?.list({ app, user: user.id }, { signal })) ?? []).map(shown));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path, operationId: "listApprovals", tags },
      summary: "Lists the conversation's open questions.",
      request: { params: inConversation },
      responses: { 200: open },
    },
    async ({ user, params, signal }) => {
      await conversations.get(user.id, params.conversation, { signal });
      const scope = conversations.scopeOf(user.id, params.conversation);
      return json(((await approvals?.list(scope, { signal })) ?? []).map(shown));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "post", path: `${path}/{approval}`, operationId: "decideApproval", tags },
      summary:
        "Answers a question. The last open answer starts the turn that goes on. 409 where the content has changed, or it was answered otherwise.",
      request: {
        params: inConversation.extend({ approval: z.string().min(1).max(64) }),
        body: jsonBody(z.strictObject({ answer: answerSchema, digest: z.string().max(200).optional() })),
      },
      responses: {
        200: jsonAnswer(
          "The answered question, and the turn that goes on, where no question is left.",
          z.object({ approval: approvalSchema, turn: z.string().optional() }),
        ),
      },
    },
    async ({ user, params, body, signal }) => {
      await conversations.get(user.id, params.conversation, { signal });
      const scope = conversations.scopeOf(user.id, params.conversation);
      const known = await approvals?.get(scope, params.approval, { signal });
      if (!approvals || known?.request.session.session !== params.conversation)
        return problemResponse("NOT_FOUND", `The conversation has no question "${params.approval}".`);
      if (draining.isDraining()) return closingProblem();
      const open = await approvals.list({ app: scope.app, user: user.id }, { signal });
      let approval = known;
      const answer = async () => {
        approval = await approvals.decide(scope, params.approval, { ...body, signal });
      };
      const isLast = open.every(({ id, request: { session } }) => id === known.id || !isOf(session, scope));
      if (!isLast || !isPossible(known, body)) await answer();
      const turn = isLast ? await goOn(scope, approval === known ? answer : undefined) : undefined;
      const told = { type: "data-approval", id: approval.id, data: shown(approval) } as const;
      await conversations.answered(user.id, params.conversation, told);
      // An answer that lasts may have answered questions of other conversations, and further ones of this.
      const left = await approvals.list({ app: scope.app, user: user.id }, { signal });
      const answered = open
        .map(({ request }) => request.session)
        .filter((one) => !isOf(one, scope) || !isLast);
      for (const session of new Map(answered.map((one) => [one.session, one])).values())
        if (!left.some(({ request }) => isOf(request.session, session))) await goOn(session);
      return json({ approval: shown(approval), turn });

      async function goOn(session: SessionScope, stored?: () => Promise<void>): Promise<string> {
        const { id, agent } = await conversations.get(user.id, session.session, { signal });
        const { turn: next } = await runner.resume(
          user.id,
          { id, agent },
          { signal, ...(stored && { answer: stored }) },
        );
        return next;
      }
    },
  );
}

/** Otherwise it is refused, and no turn begins for it. */
function isPossible(
  { request, choices, answer: known }: ApprovalQuestion,
  { answer, digest }: { readonly answer: ApprovalAnswer; readonly digest?: string | undefined },
): boolean {
  return !known && request.digest === digest && (!("allow" in answer) || choices.includes(answer.allow));
}

function isOf(one: SessionScope, other: SessionScope): boolean {
  return one.session === other.session;
}
