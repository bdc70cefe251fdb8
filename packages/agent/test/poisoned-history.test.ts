import { recordSessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { acceptedId } from "../src/loop/accepted-messages.js";
import { modelProvider } from "../src/models/model-provider.js";
import { openaiServer, type ServedAnswer } from "./openai-server.js";
import { SHOUT, testAgent } from "./test-agent.js";

const LIST = { name: "workspace_list", arguments: "{}" };

describe.each([
  ["streaming", true],
  ["whole answers", false],
])("AGENT-22: a conversation goes on after any answer of its model, %s", (_, stream) => {
  test.each([
    "multi_tool_use.parallel",
    "functions.skill_load",
    "skill load",
    `a${"b".repeat(80)}`,
    "werkzeug_ä",
  ])("a call of %s is answered with the names of the tools, and later turns go on", async (name) => {
    const { said, requests } = await conversation(
      [{ calls: [{ name, arguments: '{"tool_uses":[]}' }] }],
      stream,
    );
    expect(await said("first")).toBe("fine");
    expect(await said("second")).toBe("fine");
    const answered = requests[1]?.body.messages.at(-1)?.content;
    expect(answered).toContain(`There is no tool \\"${name}\\". The tools are: `);
    expect(answered).toContain("skill_load");
  });

  test.each([
    ["half of an emoji at the end of the text", { text: "Well done \ud83d" }],
    ["half of an emoji in the text before a call", { text: "Well \udc4d", calls: [LIST] }],
    [
      "half of an emoji in a call",
      {
        calls: [
          { name: "workspace_write", arguments: '{"path":"out/a.txt","content":"a\\ud83d","\\ud83d":1}' },
        ],
      },
    ],
    ["input of a call that is no JSON", { calls: [{ ...LIST, arguments: '{"path": "a' }] }],
    ["input of a call that is no object", { calls: [{ ...LIST, arguments: '["a"]' }] }],
    ["an id with characters of another provider", { calls: [{ ...LIST, id: "functions.workspace_list:0" }] }],
    ["an id of 200 characters", { calls: [{ ...LIST, id: "c".repeat(200) }] }],
    ["an answer of blanks", { text: " \n" }],
  ])("%s", async (_, answer) => {
    const { said } = await conversation([answer], stream);
    await said("first");
    await said("second");
    expect(await said("third")).toBe("fine");
  });

  test("a surrogate pair that comes in two pieces is one character", async () => {
    const text = `${"a".repeat(6)}😀 good`;
    const { said, pieces } = await conversation([{ text }], stream);
    expect(await said("first")).toBe(text);
    expect(pieces.join("")).toBe(text);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  test("AGENT-18: calls of several steps and turns with the same id keep their own results", async () => {
    const write = (content: string) => ({
      calls: [
        { name: "workspace_write", arguments: JSON.stringify({ path: `out/${content}.txt`, content }) },
      ],
    });
    const { said, requests, events } = await conversation(
      [write("one"), write("two"), { text: "ok" }, write("three")],
      stream,
    );
    expect(await said("first")).toBe("ok");
    expect(await said("second")).toBe("fine");
    const sent = requests.at(-1)?.body.messages ?? [];
    const calls = sent.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(calls.map((call) => JSON.parse(call.function.arguments).content)).toEqual(["one", "two", "three"]);
    expect(
      sent
        .filter(({ role }) => role === "tool")
        .map((one) => [one.tool_call_id, JSON.parse(one.content ?? "").path]),
    ).toEqual(calls.map(({ id }, index) => [id, `out/${["one", "two", "three"][index]}.txt`]));
    expect(calls[0]?.id).toBe("call_0");
    const ids = (type: string) =>
      events.flatMap((event) => (event.type === type && "callId" in event ? [event.callId] : []));
    expect(ids("tool.call")).toEqual(calls.map(({ id }) => id));
    expect(ids("tool.response")).toEqual(calls.map(({ id }) => id));
  });

  test("two calls of one answer with the same id are two calls", async () => {
    const call = (path: string) => ({
      id: "same",
      name: "workspace_write",
      arguments: JSON.stringify({ path, content: path }),
    });
    const { said, requests } = await conversation(
      [{ calls: [call("out/a.txt"), call("out/b.txt")] }],
      stream,
    );
    expect(await said("first")).toBe("fine");
    const sent = requests.at(-1)?.body.messages ?? [];
    const ids = sent.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    expect(
      sent
        .filter(({ role }) => role === "tool")
        .map((one) => [one.tool_call_id, JSON.parse(one.content ?? "").path]),
    ).toEqual([
      [ids[0], "out/a.txt"],
      [ids[1], "out/b.txt"],
    ]);
  });
});

test("AGENT-22: a conversation that an earlier release stored with such a call goes on", async () => {
  const records = memoryRecords();
  const sessions = recordSessions(records);
  const session = { app: "test", user: "local", session: "kept" };
  const [toolCallId, toolName] = ["functions.x:0", "functions.x"];
  const history = [
    { role: "user", content: "half \ud83d" },
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input: "{" }] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value: "no \ud83d" } }],
    },
  ];
  await sessions.update(session, { from: 0, append: history });
  const server = await openaiServer([{ text: "fine" }]);
  const modelConfig = { provider: "openai", model: "m", apiKey: "k", baseURL: server.baseURL, stream: true };
  const model = await modelProvider({ ...modelConfig, systemPrompt: true });
  const agent = await testAgent({ model, records, config: { modelConfig, session } });
  expect((await agent.chat("go on")).text).toBe("fine");
  const [, , called, answered] = server.requests[0]?.body.messages ?? [];
  expect(called?.tool_calls?.[0]).toMatchObject({
    id: acceptedId(toolCallId),
    function: { name: "functions_x" },
  });
  expect(answered?.tool_call_id).toBe(acceptedId(toolCallId));
});

test.each(["mistral-small-latest", "devstral-medium", "open-mixtral-8x7b"])(
  "AGENT-22: a model of Mistral (%s) gets ids of nine letters and digits, the same for a call and its result",
  async (model) => {
    const { said, requests } = await conversation([{ calls: [LIST] }], true, model);
    expect(await said("first")).toBe("fine");
    const [, , called, answered] = requests[1]?.body.messages ?? [];
    expect(called?.tool_calls?.[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(answered?.tool_call_id).toBe(called?.tool_calls?.[0]?.id);
  },
);

/** An agent whose model's server is strict, and answers "fine" after the given answers. */
async function conversation(answers: readonly ServedAnswer[], stream: boolean, name = "served") {
  const { baseURL, requests } = await openaiServer([...answers, ...Array(5).fill({ text: "fine" })]);
  const modelConfig = { provider: "openai", model: name, apiKey: "k", baseURL, stream };
  const model = await modelProvider({ ...modelConfig, systemPrompt: true });
  const agent = await testAgent({ model, skills: { shout: SHOUT }, config: { modelConfig } });
  const events: AgentEvent[] = [];
  const pieces: string[] = [];
  const said = async (message: string) => {
    const onEvent = (event: AgentEvent) => {
      if (event.type === "text") pieces.push(event.text);
      events.push(event);
    };
    return (await agent.chat(message, { onEvent })).text;
  };
  return { said, requests, events, pieces };
}
