import { randomBytes } from "node:crypto";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type ModelMessage, wrapLanguageModel } from "ai";
import { acceptedId } from "./accepted-messages.js";

/**
 * The model with ids of calls that are unique in the conversation and valid for every provider. A server may number the
 * calls of each answer anew; an id that stands in the history or in the answer already is replaced.
 */
export function withOwnIds(model: LanguageModelV4, history: readonly ModelMessage[]): LanguageModelV4 {
  const used = new Set(history.flatMap(callIds).map((id) => acceptedId(id)));

  function named<Part extends { readonly type: string }>(part: Part): Part {
    if (part.type !== "tool-call" || !("toolCallId" in part)) return part;
    let toolCallId = acceptedId(String(part.toolCallId));
    while (used.has(toolCallId)) toolCallId = randomBytes(5).toString("hex").slice(0, 9);
    used.add(toolCallId);
    return { ...part, toolCallId };
  }

  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: async ({ doGenerate }) => {
        const answer = await doGenerate();
        return { ...answer, content: answer.content.map(named) };
      },
      wrapStream: async ({ doStream }) => {
        const { stream, ...answer } = await doStream();
        const naming = new TransformStream({ transform: (part, out) => out.enqueue(named(part)) });
        return { ...answer, stream: stream.pipeThrough(naming) };
      },
    },
  });
}

function callIds(message: ModelMessage): readonly string[] {
  if (message.role !== "assistant" || typeof message.content === "string") return [];
  return message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
}
