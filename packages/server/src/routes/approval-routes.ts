import { z } from "@hono/zod-openapi";
import type { ApprovalQuestion } from "@skillwright/tools";
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
      const conversation = await conversations.get(user.id, params.conversation, { signal });
      const scope = conversations.scopeOf(user.id, params.conversation);
      const known = await approvals?.get(scope, params.approval, { signal });
      if (!approvals || known?.request.session.session !== params.conversation)
        return problemResponse("NOT_FOUND", `The conversation has no question "${params.approval}".`);
      if (draining.isDraining()) return closingProblem();
      const approval = shown(await approvals.decide(scope, params.approval, { ...body, signal }));
      if ((await approvals.list(scope, { signal })).length > 0) return json({ approval });
      const { turn } = await runner.resume(user.id, conversation, { signal });
      draining.running(runner.idle(scope));
      return json({ approval, turn });
    },
  );
}
