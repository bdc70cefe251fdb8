import { expect, test } from "vitest";
import { scriptedModel } from "../../agent/test/scripted-model.js";
import type { AgentServer } from "../src/index.js";
import { ask, newConversation, say, testServer } from "./test-server.js";

interface Message {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly { readonly text?: string }[];
}

const replaced = async (server: AgentServer, id: string, text: string, replaces: string) =>
  await ask(server, `/conversations/${id}/turns`, {
    json: { message: { parts: [{ type: "text", text }] }, replaces },
  });

const messagesOf = async (server: AgentServer, id: string) =>
  (await (await ask(server, `/conversations/${id}/messages`)).json()) as Message[];

test("WEB-07: a message that replaces an earlier one takes its place, for the user and for the model", async () => {
  const { model, prompts } = scriptedModel([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
  const server = testServer({
    agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
    dependencies: { models: () => model },
  });
  const id = await newConversation(server);
  await (await say(server, id, "first question")).text();
  await (await say(server, id, "second question")).text();
  const before = await messagesOf(server, id);
  await (await replaced(server, id, "other question", before[2]?.id ?? "")).text();
  const after = await messagesOf(server, id);
  expect(after.map(({ parts }) => parts.map(({ text }) => text ?? "").join(""))).toEqual([
    ...["first question", "One.", "other question", "Three."],
  ]);
  const sent = JSON.stringify(prompts.at(-1));
  expect(sent).toContain("first question");
  expect(sent).toContain("other question");
  expect(sent).not.toContain("second question");
  const wrong = await replaced(server, id, "again", "unknown");
  expect([wrong.status, ((await wrong.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining('You said no message "unknown"'),
  ]);
});

test("a conversation that was shortened cannot begin again before that", async () => {
  const { model } = scriptedModel([{ text: "One." }]);
  const server = testServer({
    agents: {
      assistant: { modelConfig: { provider: "test", model: "test" }, compaction: { atCharacters: 1000 } },
    },
    dependencies: { models: () => model },
  });
  const id = await newConversation(server);
  for (let turn = 0; turn < 4; turn++) await (await say(server, id, `${turn} ${"word ".repeat(300)}`)).text();
  const [, , second] = await messagesOf(server, id);
  const refused = await replaced(server, id, "again", second?.id ?? "");
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    409,
    expect.stringContaining("was shortened"),
  ]);
  expect(await messagesOf(server, id)).toHaveLength(8);
});

test("SERVE-96: a message that has the id of the last answer is refused, and the answer is kept", async () => {
  const { model } = scriptedModel([{ text: "One." }, { text: "Two." }]);
  const server = testServer({
    agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
    dependencies: { models: () => model },
  });
  const id = await newConversation(server);
  await (await say(server, id, "first question")).text();
  const before = await messagesOf(server, id);
  const message = { id: before[1]?.id ?? "", parts: [{ type: "text", text: "second question" }] };
  const refused = await ask(server, `/conversations/${id}/turns`, { json: { message } });
  expect([refused.status, await messagesOf(server, id)]).toEqual([400, before]);
  expect((await say(server, id, "third question")).status).toBe(200);
});
