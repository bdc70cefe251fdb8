import { MockLanguageModelV4 } from "ai/test";

export type ScriptedStep = string | readonly { tool: string; input: unknown }[];

/** A model that answers with these steps in order: a text, or calls of tools. Call ids are `call-<step>-<n>`. */
export function scriptedModel(...steps: ScriptedStep[]): MockLanguageModelV4 {
  let step = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const index = step++;
      const given = steps[index] ?? "Done.";
      const calls = typeof given === "string" ? [] : given;
      return {
        content:
          typeof given === "string"
            ? [{ type: "text" as const, text: given }]
            : calls.map(({ tool, input }, number) => ({
                type: "tool-call" as const,
                toolCallId: `call-${index}-${number}`,
                toolName: tool,
                input: typeof input === "string" ? input : JSON.stringify(input),
              })),
        finishReason: {
          unified: calls.length > 0 ? ("tool-calls" as const) : ("stop" as const),
          raw: undefined,
        },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
