import { z } from "@hono/zod-openapi";
import { type CallOptions, SkillError } from "@skillwright/core";
import type { TurnKey } from "@skillwright/records";
import type { ServerParts } from "../parts/server-parts.js";
import { streamPath } from "../turns/turn-paths.js";
import { turnStream } from "../turns/turn-stream.js";

const KEEP_ALIVE_MS = 15_000;

/**
 * Streams a log of a turn, also of a turn that has not begun because its message waits, and of an earlier turn of which
 * only the output of its commands is kept.
 * @param options.isNew True for a turn that this process has just begun. @throws SkillError `RUN_NOT_FOUND` for an unknown turn.
 */
export async function streamResponse(
  { turns, runner, basePath, closing }: Pick<ServerParts, "turns" | "runner" | "basePath" | "closing">,
  { scope, turn }: TurnKey,
  { log, from, isNew = false }: { readonly log: string; readonly from: number; readonly isNew?: boolean },
): Promise<Response> {
  const key = { scope, turn };
  const waits = (options: CallOptions) => runner.next.untilStarted(key, options);
  const isKnown =
    isNew ||
    (await turns.get(key)) !== undefined ||
    (await turns.read(key, log, 0, { limit: 1 })).length > 0 ||
    (await runner.next.isQueued(key));
  if (!isKnown) throw unknown(turn);
  const stream = turnStream(turns, key, { log, from, keepAliveMs: KEEP_ALIVE_MS, closing, waits });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "content-location": streamPath(basePath, key),
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
