import { describe, expect, test } from "vitest";
import { modelProvider } from "../src/models/model-provider.js";
import { openaiServer } from "./openai-server.js";
import { SHOUT, testAgent } from "./test-agent.js";

const load = { name: "skill_load", arguments: '{"skill":"shout"}' };
const run = {
  name: "skill_run",
  arguments: JSON.stringify({
    skill: "shout",
    command: "sh shout.sh inputs/note.txt > out/loud.txt",
    outputs: { globs: ["out/**"], inline: true, save: true },
  }),
};

describe.each([
  ["streaming", true],
  ["whole answers", false],
])("a model behind the OpenAI protocol, %s", (_, stream) => {
  test("loads, runs, answers: the whole conversation over HTTP", async () => {
    const server = await openaiServer([
      { calls: [load] },
      { calls: [run] },
      { text: "It says HELLO, see out/loud.txt." },
    ]);
    const agent = await agentAt(server.baseURL, stream);
    await agent.upload("note.txt", "hello\n");
    const pieces: string[] = [];
    const result = await agent.chat("Make it loud", {
      onEvent: (event) => event.type === "text" && pieces.push(event.text),
    });

    expect(result).toMatchObject({ text: "It says HELLO, see out/loud.txt.", finish: "answered", steps: 3 });
    expect(result.artifacts.map(({ name }) => name)).toEqual(["out/loud.txt"]);
    expect(pieces.length).toBeGreaterThan(stream ? 1 : 0);
    expect(pieces.join("")).toBe(result.text);

    expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill("/v1/chat/completions"));
    expect(server.requests[0]?.authorization).toBe("Bearer test-key");
    const [first, second, third] = server.requests.map(({ body }) => body);
    expect(first?.tools?.map((tool) => tool.function.name)).toContain("skill_run");
    expect(first?.messages[0]?.content).toBe(third?.messages[0]?.content);
    const [, , called, answered] = second?.messages ?? [];
    expect(called?.tool_calls?.[0]?.function).toEqual(load);
    expect(answered).toMatchObject({ role: "tool", tool_call_id: called?.tool_calls?.[0]?.id });
    expect(answered?.content).toContain('<loaded_skill name="shout"');
    expect(JSON.parse(third?.messages.at(-1)?.content ?? "")).toMatchObject({ exit_code: 0 });
  });

  test("arguments that are not JSON are answered to the model, and the turn continues", async () => {
    const broken = { name: "skill_load", arguments: '{"skill": "sho' };
    const server = await openaiServer([{ calls: [broken] }, { calls: [load] }, { text: "ok" }]);
    const agent = await agentAt(server.baseURL, stream);
    expect(await agent.chat("go")).toMatchObject({ text: "ok", steps: 3 });
    expect(server.requests[1]?.body.messages.at(-1)?.content).toContain("no valid JSON");
  });

  test.each([
    [401, /API key/],
    [404, /model's name/],
  ])("status %s is an error that says what to check", async (status, remedy) => {
    const server = await openaiServer([{ status }]);
    const agent = await agentAt(server.baseURL, stream);
    const error = await agent.chat("go").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "BACKEND_FAILED", details: { status } });
    expect(String(error)).toMatch(remedy);
    expect(String(error)).not.toContain("test-key");
  });
});

function agentAt(baseURL: string, stream: boolean) {
  const modelConfig = { provider: "openai", model: "served", apiKey: "test-key", baseURL, stream };
  return modelProvider({ ...modelConfig, systemPrompt: true }).then((model) =>
    testAgent({ model, skills: { shout: SHOUT }, config: { modelConfig } }),
  );
}
