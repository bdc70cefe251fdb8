/**
 * OpenAI's Responses.
 *
 * @type {import("./scripted-model.mjs").Protocol}
 */
export const responses = {
  path: /\/responses$/,

  hear({ instructions, input, tools = [] }) {
    const results = input.filter(({ type }) => type === "function_call_output");
    return {
      text: JSON.stringify([instructions, input]),
      tools: tools.map(({ name, parameters }) => ({ name, schema: parameters })),
      results: results.map(({ output }) => plain(output)),
    };
  },

  answer: (step, number) => response("completed", number, [item(step, number)]),

  stream(step, number) {
    const whole = item(step, number);
    const at = { output_index: 0, item_id: whole.id };
    const events = /** @type {[string, object][]} */ ([
      ["response.created", { response: response("in_progress", number, []) }],
      [
        "response.output_item.added",
        { ...at, item: { ...whole, ...(step.tool ? { arguments: "" } : { content: [] }) } },
      ],
      ...(step.tool
        ? [
            ["response.function_call_arguments.delta", { ...at, delta: whole.arguments }],
            [
              "response.function_call_arguments.done",
              { ...at, name: whole.name, arguments: whole.arguments },
            ],
          ]
        : [
            ["response.content_part.added", { ...at, content_index: 0, part: part("") }],
            ["response.output_text.delta", { ...at, content_index: 0, delta: step.text, logprobs: [] }],
            ["response.output_text.done", { ...at, content_index: 0, text: step.text, logprobs: [] }],
            ["response.content_part.done", { ...at, content_index: 0, part: part(step.text) }],
          ]),
      ["response.output_item.done", { ...at, item: whole }],
      ["response.completed", { response: response("completed", number, [whole]) }],
    ]);
    return events.map(([type, data], index) => ({
      event: type,
      data: { type, sequence_number: index, ...data },
    }));
  },
};

function response(status, number, output) {
  const tokens = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  return {
    ...{ id: `resp_${number}`, object: "response", created_at: 1, model: "scripted", status, output },
    ...{ usage: { ...tokens, ...details }, error: null, incomplete_details: null, tools: [] },
  };
}

/** @returns {Record<string, any>} */
function item(step, number) {
  const status = "completed";
  if (!step.tool)
    return { id: `msg_${number}`, type: "message", role: "assistant", status, content: [part(step.text)] };
  const called = { name: step.tool, arguments: JSON.stringify(step.input) };
  return { id: `fc_${number}`, type: "function_call", call_id: `call_${number}`, status, ...called };
}

function part(text) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function plain(output) {
  return typeof output === "string" ? output : output.map(({ text }) => text).join("");
}
