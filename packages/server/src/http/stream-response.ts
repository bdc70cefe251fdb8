import { z } from "@hono/zod-openapi";
import { SkillError } from "@skillwright/core";
import type { TurnKey } from "@skillwright/core/adapter";
import type { ServerParts } from "../parts/server-parts.js";
import { turnStream } from "../turns/turn-stream.js";
import { untilClosing } from "./until-closing.js";

const KEEP_ALIVE_MS = 15_000;

/** Streams a log of a turn. @throws SkillError `RUN_NOT_FOUND` for an unknown turn. */
export async function streamResponse(
  { turns, basePath, closing }: Pick<ServerParts, "turns" | "basePath" | "closing">,
  key: TurnKey,
  { log, from }: { readonly log: string; readonly from: number },
): Promise<Response> {
  const { scope, turn } = key;
  if (!(await turns.get({ scope, turn }))) throw unknown(turn);
  const stream = turnStream(turns, { scope, turn }, { log, from, keepAliveMs: KEEP_ALIVE_MS });
  const isOver = async () => (await turns.get({ scope, turn }))?.state !== "active";
  return new Response(untilClosing(stream, closing, isOver), {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "content-location": `${basePath}/conversations/${scope.session}/turns/${turn}/stream`,
      "x-accel-buffering": "no",
      "x-vercel-ai-ui-message-stream": "v1",
    },
  });
}

/** Server-sent events; each has its offset as `id`, and the last has the data `[DONE]`. */
export function streamAnswer(description: string) {
  return { 200: { description, content: { "text/event-stream": { schema: z.string() } } } };
}

function unknown(turn: string): SkillError {
  const message = `This conversation keeps no turn "${turn}". Its messages have the answers of earlier turns.`;
  return new SkillError("RUN_NOT_FOUND", message, { details: { turn } });
}
