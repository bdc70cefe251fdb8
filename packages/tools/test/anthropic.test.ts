import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "@skillwright/tools/anthropic";
import { describe, expect, test } from "vitest";
import { conversation, LOADED, tools } from "./adapter-calls.js";
import { jsonServer } from "./json-server.js";

const client = (origin: string) => new Anthropic({ apiKey: "none", baseURL: origin, maxRetries: 0 });

function message(...content: object[]) {
  const reason = content.some((block) => "input" in block) ? "tool_use" : "end_turn";
  const usage = { input_tokens: 1, output_tokens: 1 };
  return {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "served",
    stop_reason: reason,
    content,
    usage,
  };
}

const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
const load = use("t0", "skill_load", { skill: "counter" });
const said = { type: "text", text: "Loaded." };
const request = { model: "served", max_tokens: 100, messages: [{ role: "user" as const, content: "Go" }] };

describe("anthropicTools with @anthropic-ai/sdk", () => {
  test("a loop over Messages loads a skill; refusals are errors that the model reads", async () => {
    const { origin, requests } = await jsonServer([
      message(load, use("t1", "skill_load", { skill: "nobody" })),
      message(said),
    ]);
    const { options, heard } = conversation();
    const set = anthropicTools(tools, options);
    const messages: Anthropic.MessageParam[] = [...request.messages];
    for (;;) {
      const reply = await client(origin).messages.create({ ...request, messages, tools: set.tools });
      messages.push({ role: "assistant", content: reply.content });
      const answer = await set.answer(reply.content);
      if (!answer) break;
      messages.push(answer);
    }
    expect(messages.at(-1)?.content).toEqual([said]);
    expect(requests[0]?.body.tools).toEqual(
      tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    );
    expect(requests[1]?.body.messages.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t0", content: LOADED },
        {
          type: "tool_result",
          tool_use_id: "t1",
          content: expect.stringContaining("SKILL_NOT_FOUND"),
          is_error: true,
        },
      ],
    });
    // The calls of one message run concurrently, and each call is reported when it ends.
    expect(heard.map(({ call }) => call.toolCallId).sort()).toEqual(["t0", "t1"]);
  });

  test("the package's own loop runs the same tools", async () => {
    const { origin, requests } = await jsonServer([message(load), message(said)]);
    const { options, heard } = conversation();
    const set = anthropicTools(tools, options);
    const last = await client(origin).beta.messages.toolRunner({ ...request, tools: set.tools });
    expect(last.content).toEqual([said]);
    expect(requests[1]?.body.messages.at(-1).content).toMatchObject([{ tool_use_id: "t0", content: LOADED }]);
    expect(heard[0]?.call.toolCallId).toBe("t0");
  });
});
