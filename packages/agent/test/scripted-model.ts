import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";

/** One step of the model: text, calls, or an error. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
  readonly error?: Error;
  /** The output limit ended the answer. */
  readonly cut?: boolean;
}

/** A model that returns scripted steps, one a call, and repeats the last one; `prompts` contains its requests. */
export function scriptedModel(
  steps: readonly ScriptedStep[] | ((step: number, options: LanguageModelV4CallOptions) => ScriptedStep),
): { model: MockLanguageModelV4; prompts: LanguageModelV4Prompt[]; requests: LanguageModelV4CallOptions[] } {
  const requests: LanguageModelV4CallOptions[] = [];
  const prompts: LanguageModelV4Prompt[] = [];
  const next = (options: LanguageModelV4CallOptions): ScriptedStep => {
    requests.push(options);
    prompts.push(options.prompt);
    const step = prompts.length;
    const said = typeof steps === "function" ? steps(step, options) : (steps[step - 1] ?? steps.at(-1));
    if (!said) throw new Error("The script is empty.");
    if (said.error) throw said.error;
    return said;
  };
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => ({ ...answer(next(options)), warnings: [] }),
    doStream: async (options) => ({ stream: ReadableStream.from(parts(answer(next(options)))) }),
  });
  return { model, prompts, requests };
}

let calls = 0;

function answer({ text, calls: wanted = [], cut = false }: ScriptedStep) {
  const content: LanguageModelV4Content[] = text ? [{ type: "text", text }] : [];
  for (const { tool, input } of wanted)
    content.push({
      type: "tool-call",
      toolCallId: `call-${++calls}`,
      toolName: tool,
      input: typeof input === "string" ? input : JSON.stringify(input),
    });
  const unified: "stop" | "tool-calls" | "length" = cut
    ? "length"
    : wanted.length > 0
      ? "tool-calls"
      : "stop";
  return { content, finishReason: { unified, raw: undefined }, usage: USAGE };
}

function* parts({ content, ...end }: ReturnType<typeof answer>): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const [index, part] of content.entries())
    if (part.type === "text") {
      const id = String(index);
      yield { type: "text-start", id };
      for (const delta of part.text.split(/(?<= )/)) yield { type: "text-delta", id, delta };
      yield { type: "text-end", id };
    } else if (part.type === "tool-call") yield part;
  yield { type: "finish", ...end };
}

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
