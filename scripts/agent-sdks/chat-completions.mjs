const frame = (number) => ({ id: `chat_${number}`, created: 1, model: "scripted" });
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/**
 * OpenAI's Chat Completions.
 *
 * @type {import("./scripted-model.mjs").Protocol}
 */
export const chatCompletions = {
  path: /\/chat\/completions$/,

  hear({ messages, tools = [] }) {
    const results = messages.filter(({ role }) => role === "tool");
    return {
      text: JSON.stringify(messages),
      tools: tools.map(({ function: { name, parameters } }) => ({ name, schema: parameters })),
      results: results.map(({ content }) => plain(content)),
    };
  },

  answer(step, number) {
    const choice = { index: 0, message: message(step, number), finish_reason: reason(step) };
    return { ...frame(number), object: "chat.completion", choices: [choice], usage: USAGE };
  },

  stream(step, number) {
    const { tool_calls: calls, ...said } = message(step, number);
    const delta = { ...said, ...(calls && { tool_calls: calls.map((call) => ({ index: 0, ...call })) }) };
    const chunk = (choice) => ({
      data: { ...frame(number), object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] },
    });
    return [
      chunk({ delta, finish_reason: null }),
      chunk({ delta: {}, finish_reason: reason(step) }),
      { data: { ...frame(number), object: "chat.completion.chunk", choices: [], usage: USAGE } },
      { data: "[DONE]" },
    ];
  },
};

function message(step, number) {
  if (!step.tool) return { role: "assistant", content: step.text };
  const called = { name: step.tool, arguments: JSON.stringify(step.input) };
  const call = { id: `call_${number}`, type: "function", function: called };
  return { role: "assistant", content: null, tool_calls: [call] };
}

function reason(step) {
  return step.tool ? "tool_calls" : "stop";
}

function plain(content) {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}
