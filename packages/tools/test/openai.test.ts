import { openAiTools } from "@skillwright/tools/openai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { conversation, LOADED, tools } from "./adapter-calls.js";
import { jsonServer } from "./json-server.js";

const client = (origin: string) => new OpenAI({ apiKey: "none", baseURL: `${origin}/v1`, maxRetries: 0 });

function completion(message: object) {
  return {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "served",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: null, ...message } }],
  };
}

function calls(...made: [name: string, given: string][]) {
  return made.map(([name, given], index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: given },
  }));
}

const schemas = tools.map(({ name, description, inputSchema }) => ({
  name,
  description,
  parameters: inputSchema,
}));

describe("openAiTools with the openai package", () => {
  test("a loop over Chat Completions loads a skill", async () => {
    const { origin, requests } = await jsonServer([
      completion({
        tool_calls: calls(["skill_load", '{"skill":"counter"}'], ["skill_list_docs", '{"skill":"greeter"}']),
      }),
      completion({ content: "Loaded." }),
    ]);
    const { options, heard } = conversation();
    const set = openAiTools(tools, options);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Go" }];
    let text: string | null = null;
    while (text === null) {
      const { choices } = await client(origin).chat.completions.create({
        model: "served",
        messages,
        tools: set.chat,
      });
      const message = choices[0]?.message;
      if (!message) throw new Error("no message");
      messages.push(message, ...(await set.answerChat(message)));
      text = message.content;
    }
    expect(text).toBe("Loaded.");
    expect(requests.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
    expect(requests[0]?.body.tools).toEqual(
      schemas.map((schema) => ({ type: "function", function: schema })),
    );
    expect(requests[1]?.body.messages.slice(2)).toEqual([
      { role: "tool", tool_call_id: "call_0", content: LOADED },
      { role: "tool", tool_call_id: "call_1", content: '["USAGE.md","docs/Guide.MD","notes.TXT"]' },
    ]);
    expect(heard.find(({ call }) => call.order === 0)).toMatchObject({
      call: { toolName: "skill_load", toolCallId: "call_0", order: 0 },
      result: { stateDelta: { "temp:skill:loaded:counter": "1" } },
    });
  });

  test("the package's own loop runs the same tools", async () => {
    const { origin, requests } = await jsonServer([
      completion({ tool_calls: calls(["skill_load", '{"skill":"counter"}']) }),
      completion({ content: "Loaded." }),
    ]);
    const set = openAiTools(tools, conversation().options);
    const runner = client(origin).chat.completions.runTools({
      model: "served",
      messages: [{ role: "user", content: "Go" }],
      tools: set.chat,
    });
    expect(await runner.finalContent()).toBe("Loaded.");
    expect(requests[1]?.body.messages.at(-1)).toEqual({
      role: "tool",
      tool_call_id: "call_0",
      content: LOADED,
    });
  });

  test("a loop over Responses loads a skill", async () => {
    const call = {
      type: "function_call",
      id: "f1",
      call_id: "call_0",
      name: "skill_load",
      arguments: '{"skill":"counter"}',
    };
    const said = {
      type: "message",
      id: "m1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Loaded.", annotations: [] }],
    };
    const response = (...output: object[]) => ({
      id: "r1",
      object: "response",
      created_at: 1,
      model: "served",
      status: "completed",
      output,
    });
    const { origin, requests } = await jsonServer([response(call), response(said)]);
    const set = openAiTools(tools, conversation().options);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Go" }];
    let text = "";
    while (text === "") {
      const reply = await client(origin).responses.create({ model: "served", input, tools: set.responses });
      input.push(
        ...(reply.output as OpenAI.Responses.ResponseInputItem[]),
        ...(await set.answerResponses(reply.output)),
      );
      text = reply.output_text;
    }
    expect(text).toBe("Loaded.");
    expect(requests[0]?.body.tools).toEqual(
      schemas.map((schema) => ({ type: "function", strict: false, ...schema })),
    );
    expect(requests[1]?.body.input.at(-1)).toEqual({
      type: "function_call_output",
      call_id: "call_0",
      output: LOADED,
    });
  });

  test("arguments that are not JSON, wrong fields and unknown tools get answers", async () => {
    const { options, heard } = conversation();
    const message = {
      tool_calls: calls(["skill_load", "{"], ["skill_load", '{"name":"x"}'], ["skill_fly", "{}"]),
    };
    const answers = await openAiTools(tools, options).answerChat(message);
    expect(answers.map(({ content }) => JSON.parse(content).error.code)).toEqual(
      Array(3).fill("INPUT_INVALID"),
    );
    expect(answers[2]?.content).toContain("The tools are: skill_list, skill_load");
    expect(heard.map(({ result }) => result.isError)).toEqual([true, true, true]);
  });

  test("a message without calls gets no answers", async () => {
    const set = openAiTools(tools, conversation().options);
    expect(await set.answerChat({})).toEqual([]);
    expect(await set.answerResponses([{ type: "message" }])).toEqual([]);
  });
});
