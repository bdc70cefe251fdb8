import { describe, expect, test } from "vitest";
import { heldTool } from "./held-tool.js";
import { allEvents, ask, newConversation, say, scripted, testServer } from "./test-server.js";

describe("SERVE-98: the history tells that a turn was stopped or failed", () => {
  test("for a failed turn, with the error and the text so far", async () => {
    const server = testServer(
      scripted((step) =>
        step === 1
          ? { text: "I look.", calls: [{ tool: "workspace_list", input: {} }] }
          : { error: new Error("overloaded") },
      ),
    );
    const id = await newConversation(server);
    await allEvents(await say(server, id, "What is the sum?"));
    const answer = (await messages(server, id)).at(-1);
    expect(answer?.parts).toContainEqual(expect.objectContaining({ type: "text", text: "I look." }));
    expect(answer?.parts.at(-1)).toMatchObject({
      type: "data-diagnostic",
      data: { code: "turn.failed", severity: "error", message: expect.stringContaining("overloaded") },
    });
  });

  test("for a turn that failed before its first word", async () => {
    const server = testServer(scripted([{ error: new Error("overloaded") }]));
    const id = await newConversation(server);
    await allEvents(await say(server, id, "What is the sum?"));
    const [question, answer] = await messages(server, id);
    expect(question?.parts).toEqual([{ type: "text", text: "What is the sum?" }]);
    expect(answer).toMatchObject({
      role: "assistant",
      parts: [{ type: "step-start" }, { data: { code: "turn.failed" } }],
    });
  });

  test("for a stopped turn", async () => {
    const gate = heldTool();
    const { agents, dependencies } = scripted([{ calls: [{ tool: "hold", input: {} }] }]);
    const templates = { assistant: { systemPrompt: "You wait.", tools: ["hold"] } };
    const server = testServer({
      agents,
      dependencies: { ...dependencies, templates, tools: { hold: gate.tool } },
    });
    const id = await newConversation(server);
    const stream = await say(server, id, "Wait");
    await gate.called;
    await ask(server, `/conversations/${id}/stop`, { method: "POST" });
    await allEvents(stream);
    expect((await messages(server, id)).at(-1)?.parts.at(-1)).toMatchObject({
      type: "data-diagnostic",
      data: { code: "turn.stopped", severity: "info", message: "The turn was stopped." },
    });
  });
});

interface Shown {
  readonly role: string;
  readonly parts: readonly Record<string, unknown>[];
}

async function messages(server: ReturnType<typeof testServer>, id: string): Promise<readonly Shown[]> {
  return (await (await ask(server, `/conversations/${id}/messages`)).json()) as Shown[];
}
