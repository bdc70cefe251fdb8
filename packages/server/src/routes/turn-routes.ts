import { z } from "@hono/zod-openapi";
import { SkillError } from "@skillwright/core";
import { endpoint, json, jsonAnswer, jsonBody, type ServerRouter } from "../http/endpoint.js";
import { closingProblem } from "../http/problem.js";
import { conversationId, inConversation, inTurn } from "../http/schemas.js";
import { streamAnswer, streamResponse } from "../http/stream-response.js";
import type { ServerParts } from "../parts/server-parts.js";
import { goOnIfAnswered } from "../turns/answered-elsewhere.js";
import { stopTurn } from "../turns/stop-turn.js";
import { streamPath } from "../turns/turn-paths.js";
import { EVENTS, runLog } from "../turns/turn-stream.js";
import { textOf } from "../turns/ui-message.js";

const part = z
  .looseObject({ type: z.string(), text: z.string().optional() })
  .superRefine(({ type, text }, context) => {
    if (type === "text" ? text !== undefined : type.startsWith("data-")) return;
    const message =
      type === "text"
        ? "a part of type text needs its text"
        : `a part of type ${JSON.stringify(type.slice(0, 40))} would not reach the model; send text and data-* only, and store a file with PUT .../uploads/{name} before`;
    context.addIssue({ code: "custom", message });
  });

/** Messages of the AI SDK also have a role, and may have the metadata that the history returned. */
const message = z.strictObject({
  id: z.string().min(1).max(128).optional(),
  role: z.literal("user").optional(),
  metadata: z.unknown().optional(),
  parts: z
    .array(part)
    .min(1)
    .refine((parts) => textOf(parts).trim() !== "", "needs a part of type text that is not empty"),
});

const from = {
  query: z.object({ offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }),
  headers: z.object({
    "last-event-id": z
      .string()
      .regex(/^\d{1,15}$/, "an offset")
      .optional(),
  }),
};

const waits = z.object({ turn: conversationId, place: z.int() });

const path = "/conversations/{conversation}";
const tags = ["turns"];

/** Turns are streams of the AI SDK's UI message chunks, whose ids are offsets. */
export function turnRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, turns, runner, draining, approvals, basePath } = parts;

  /** A turn that runs is refused by the start that follows. */
  async function replace(user: string, id: string, replaced: string, signal: AbortSignal): Promise<void> {
    const scope = conversations.scopeOf(user, id);
    // A turn that another process begins from now on reads the session, which is changed next.
    await conversations.touch(user, id);
    if (await turns.active(scope, { signal })) return;
    // What a parked step asked for would be done in a conversation that never led to it.
    if ((await approvals?.list(scope, { signal }))?.length) throw unanswered();
    await conversations.cut(user, id, replaced, { signal });
  }

  endpoint(
    router,
    {
      ...{ method: "post", path: `${path}/turns`, operationId: "startTurn", tags },
      summary:
        "Starts a turn with a message of the user and streams it. It may replace an earlier one with all that followed. While another one is active or waits for approvals: 409, or the message waits for its end.",
      request: {
        params: inConversation,
        body: jsonBody(
          z
            .strictObject({
              message,
              replaces: z.string().min(1).max(128).optional(),
              whenBusy: z.enum(["refuse", "queue"]).optional(),
            })
            .refine(
              ({ replaces, whenBusy }) => replaces === undefined || whenBusy !== "queue",
              "a message that replaces another cannot wait; leave out whenBusy",
            ),
        ),
      },
      responses: {
        ...streamAnswer("The turn. The header content-location has its address."),
        202: jsonAnswer(
          "The message waits, at this place. The header content-location has the turn's address.",
          waits,
        ),
      },
    },
    async ({ user, params, body, signal }) => {
      // If it has changed, the turn is begun from the changed one, or refused.
      const conversation = await conversations.get(user.id, params.conversation, { signal, recent: true });
      if (draining.isDraining()) return closingProblem();
      if (body.replaces !== undefined) await replace(user.id, params.conversation, body.replaces, signal);
      const said = body.message as Parameters<typeof runner.start>[2];
      const { place, ...key } = await runner.start(user.id, conversation, said, { whenBusy: body.whenBusy });
      if (place === undefined) return streamResponse(parts, key, { log: EVENTS, from: 0, isNew: true });
      return json({ turn: key.turn, place }, 202, { "content-location": streamPath(basePath, key) });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/stream`, operationId: "resumeTurn", tags },
      summary: "Streams the active turn, from its first event or from an offset; 204 where none is active.",
      request: { params: inConversation, ...from },
      responses: { ...streamAnswer("The turn."), 204: { description: "No turn is active." } },
    },
    async ({ user, params, query, headers, signal }) => {
      const conversation = await conversations.get(user.id, params.conversation, { signal });
      const active =
        (await turns.active(conversations.scopeOf(user.id, params.conversation), { signal })) ??
        (await goOnIfAnswered(parts, user.id, conversation, { signal }));
      if (!active) {
        // Its process may have died between the end of a turn and the start of the next.
        await runner.next.start(conversations.scopeOf(user.id, params.conversation));
        return new Response(null, { status: 204 });
      }
      return streamResponse(parts, active, { log: EVENTS, from: fromOf(query, headers) });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/turns/{turn}/stream`, operationId: "readTurn", tags },
      summary:
        "Streams this turn, also after its end until the next one begins. That of a message that waits is streamed once it starts.",
      request: { params: inTurn, ...from },
      responses: streamAnswer("The turn."),
    },
    async ({ user, params, query, headers, signal }) => {
      await conversations.get(user.id, params.conversation, { signal });
      const key = { scope: conversations.scopeOf(user.id, params.conversation), turn: params.turn };
      return streamResponse(parts, key, { log: EVENTS, from: fromOf(query, headers) });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/turns/{turn}/runs/{call}`, operationId: "readRun", tags },
      summary:
        "Streams the events and the live output of the commands of one tool call. They stay until the conversation is deleted.",
      request: { params: inTurn.extend({ call: z.string().min(1).max(256) }), ...from },
      responses: streamAnswer("Events of the run: run.started, run.output, run.ended and others."),
    },
    async ({ user, params, query, headers, signal }) => {
      await conversations.get(user.id, params.conversation, { signal });
      const key = { scope: conversations.scopeOf(user.id, params.conversation), turn: params.turn };
      return streamResponse(parts, key, { log: runLog(params.call), from: fromOf(query, headers) });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "post", path: `${path}/stop`, operationId: "stopTurn", tags },
      summary: "Stops the active turn with its commands and answers when it has ended.",
      request: { params: inConversation },
      responses: { 200: jsonAnswer("False where no turn was active.", z.object({ stopped: z.boolean() })) },
    },
    async ({ user, params, signal }) => {
      await conversations.get(user.id, params.conversation, { signal });
      const scope = conversations.scopeOf(user.id, params.conversation);
      return json({ stopped: await stopTurn(parts, scope, { signal }) });
    },
  );
}

function unanswered(): SkillError {
  const message = "The conversation waits for an approval. Answer its question, then replace the message.";
  return new SkillError("CONFLICT", message);
}

/**
 * `offset` is the first event to send. The header names the last event that was received. It takes precedence, because a browser
 * connects to the same address again after a break.
 */
function fromOf(
  { offset }: { readonly offset?: number | undefined },
  { "last-event-id": last }: { readonly "last-event-id"?: string | undefined },
): number {
  return last === undefined ? (offset ?? 0) : Number(last) + 1;
}
