import { MockLanguageModelV3, simulateReadableStream } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that returns these steps in their order, texts or tool calls, whole or streamed. */
export function scriptedModel(...steps) {
  let next = 0;

  function answer() {
    const index = next++;
    const step = steps[index] ?? "Done.";
    const content =
      typeof step === "string"
        ? [{ type: "text", text: step }]
        : step.map((one, n) => toolCall(one, index, n));
    const unified = typeof step === "string" ? "stop" : "tool-calls";
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
  }

  return new MockLanguageModelV3({
    doGenerate: async () => answer(),
    doStream: async () => {
      const { content, finishReason } = answer();
      const parts = content.flatMap((part) => (part.type === "text" ? textParts(part.text) : [part]));
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}

function toolCall({ tool, input }, step, number) {
  return {
    type: "tool-call",
    toolCallId: `call-${step}-${number}`,
    toolName: tool,
    input: JSON.stringify(input),
  };
}

function textParts(text) {
  return [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: text },
    { type: "text-end", id: "t" },
  ];
}
