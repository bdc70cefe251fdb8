import { setTimeout } from "node:timers/promises";

/** A fake model, called a fake: it says the step that follows the answers which the request has. */
export function scriptedModel(steps, delayMs = 0) {
  const streamOf = async ({ prompt }) => {
    await setTimeout(delayMs);
    const step = steps[prompt.filter(({ role }) => role === "assistant").length] ?? { text: "Done." };
    return { stream: ReadableStream.from(partsOf(step)) };
  };
  return {
    ...{ specificationVersion: "v4", provider: "test", modelId: "test", supportedUrls: {} },
    doStream: streamOf,
    doGenerate: () => Promise.reject(new Error("Only streams are measured.")),
  };
}

let calls = 0;

/** @param {{ text?: string, command?: string, load?: string }} step `load` names a skill. */
export function* partsOf({ text, command, load }) {
  yield { type: "stream-start", warnings: [] };
  if (text) {
    yield { type: "text-start", id: "0" };
    for (const delta of text.split(/(?<= )/)) yield { type: "text-delta", id: "0", delta };
    yield { type: "text-end", id: "0" };
  }
  const call = load
    ? { toolName: "skill_load", input: JSON.stringify({ skill: load }) }
    : command && { toolName: "workspace_run", input: JSON.stringify({ command }) };
  if (call)
    yield {
      type: "tool-call",
      toolCallId: `call-${++calls}`,
      ...call,
    };
  yield {
    type: "finish",
    finishReason: { unified: call ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  };
}
