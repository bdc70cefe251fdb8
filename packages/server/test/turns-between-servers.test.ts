import { recordSessions, recordTurns } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { describe, expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../agent/test/scripted-model.js";
import { conversations } from "../src/conversations/conversations.js";
import type { AgentServer } from "../src/index.js";
import { betweenCalls } from "./between-calls.js";
import { settled } from "./counted-server.js";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, ask, keptLog, newConversation, type Sent, say, testServer } from "./test-server.js";

const app = "between";

/** Two servers over one store, and what their models were asked. Work can be done between the writes of each. */
function twoServers() {
  const store = memoryRecords();
  const prompts: (readonly string[])[] = [];
  const runtime = localRuntime({ isolation: "none" });
  onTestFinished(() => runtime.close());
  const opened = () => {
    const { records, at } = betweenCalls(store);
    const { log, entries } = keptLog();
    const model = scriptedModel((_, { prompt }) => {
      const said = prompt.filter(({ role }) => role !== "system");
      prompts.push(said.map(({ content }) => textsOf(content)));
      return { text: `Answer ${prompts.length}.` };
    });
    const config = { modelConfig: { provider: "test", model: "test" } };
    const server = testServer({
      agents: { assistant: config, second: config },
      dependencies: { models: () => model.model },
      ...{ app, records, runtime, log },
    });
    const begun = () =>
      entries("info").flatMap(({ message, fields }) => (message === "Turn begun" ? [fields] : []));
    return { server, at, begun };
  };
  return { store, one: opened(), other: opened(), prompt: () => prompts.at(-1) ?? [] };
}

function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as { text?: string }[]).map(({ text = "" }) => text).join("");
}

/** Says something, and returns the events of the whole turn. */
async function turn(server: AgentServer, id: string, text: string): Promise<readonly Sent[]> {
  const events = await allEvents(await say(server, id, text));
  await settled();
  return events;
}

async function idOf(server: AgentServer, id: string, place: number): Promise<string> {
  const messages = await (await ask(server, `/conversations/${id}/messages`)).json();
  return (messages as { id: string }[])[place]?.id ?? "";
}

async function replace(server: AgentServer, id: string, text: string, replaces: string): Promise<Response> {
  const json = { message: { parts: [{ type: "text", text }] }, replaces };
  return await ask(server, `/conversations/${id}/turns`, { json });
}

const isWhole = (events: readonly Sent[]) => {
  expect(events.at(-2)?.data).toMatchObject({ type: "finish", finishReason: "stop" });
  expect(JSON.stringify(events)).not.toContain("data-diagnostic");
};

describe("a turn after the other server", () => {
  test("has had turns sees all of them", async () => {
    const { one, other, prompt } = twoServers();
    const id = await newConversation(one.server);
    for (const [place, { server }] of [one, other, one, one, other, other, one].entries())
      isWhole(await turn(server, id, `Question ${place + 1}`));
    expect(prompt()).toEqual([
      ...[1, 2, 3, 4, 5, 6].flatMap((number) => [`Question ${number}`, `Answer ${number}.`]),
      "Question 7",
    ]);
  });

  test.each([0, 1])(
    "has had a turn without an answer sees what that stored, after %i turns",
    async (turns) => {
      const { store, one, prompt } = twoServers();
      const id = await newConversation(one.server);
      const said = turns === 0 ? [] : ["a", "Answer 1."];
      for (let time = 0; time < turns; time++) await turn(one.server, id, "a");
      const scope = { app, user: "ada", session: id };
      const lease = await recordTurns(store).begin({ scope, turn: "silent" }, { forMs: 60_000 });
      const sessions = recordSessions(store);
      const from = (await sessions.get(scope))?.revision ?? 0;
      await sessions.update(scope, { from, append: [{ role: "user", content: "b" }] });
      await lease.end();
      isWhole(await turn(one.server, id, "c"));
      expect(prompt()).toEqual([...said, "b", "c"]);
    },
  );

  test("has replaced a message sees what is left", async () => {
    const { one, other, prompt } = twoServers();
    const id = await newConversation(one.server);
    for (const text of ["a", "b"]) await turn(one.server, id, text);
    await allEvents(await replace(other.server, id, "c", await idOf(one.server, id, 2)));
    isWhole(await turn(one.server, id, "d"));
    expect(prompt()).toEqual(["a", "Answer 1.", "c", "Answer 3.", "d"]);
  });

  test("has taken messages out, and begun no turn, sees what is left", async () => {
    const { store, one, prompt } = twoServers();
    const id = await newConversation(one.server);
    for (const text of ["a", "b"]) await turn(one.server, id, text);
    await conversations(store, app).cut("ada", id, await idOf(one.server, id, 2));
    isWhole(await turn(one.server, id, "c"));
    expect(prompt()).toEqual(["a", "Answer 1.", "c"]);
  });

  test("has begun to take messages out sees what is left", async () => {
    const { one, other, prompt } = twoServers();
    const id = await newConversation(one.server);
    for (const text of ["a", "b"]) await turn(one.server, id, text);
    const replaced = await idOf(one.server, id, 2);
    other.at("after", "session", 1, async () => {
      isWhole(await turn(one.server, id, "c"));
      expect(prompt()).toEqual(["a", "Answer 1.", "c"]);
    });
    isWhole(await allEvents(await replace(other.server, id, "d", replaced)));
    expect(prompt()).toEqual(["a", "Answer 1.", "d"]);
  });

  test("has deleted the conversation is refused, and leaves nothing", async () => {
    const { store, one, other } = twoServers();
    const id = await newConversation(one.server);
    await turn(one.server, id, "a");
    expect((await ask(other.server, `/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
    const refused = await say(one.server, id, "b");
    expect([refused.status, await refused.json()]).toEqual([
      404,
      expect.objectContaining({ code: "SESSION_NOT_FOUND" }),
    ]);
    await settled();
    const kinds = ["conversation", "session", "uploads", "turn", "question"].map((kind) => [
      kind,
      app,
      "ada",
    ]);
    for (const kind of [...kinds, ["active-turn", app], ["user", app]])
      expect((await store.list(kind)).records).toEqual([]);
  });

  test("has made the conversation anew, with another agent, is one of the new conversation", async () => {
    const { one, other, prompt } = twoServers();
    const id = await newConversation(one.server);
    await turn(one.server, id, "a");
    await ask(other.server, `/conversations/${id}`, { method: "DELETE" });
    expect((await ask(other.server, "/conversations", { json: { id, agent: "second" } })).status).toBe(201);
    isWhole(await turn(one.server, id, "b"));
    expect(prompt()).toEqual(["b"]);
    expect(one.begun().at(-1)).toMatchObject({ agent: "second" });
  });

  test.each([
    ["before it", "before", "turn", 1],
    ["before its message is stored", "before", "conversation", 1],
    ["while it runs", "before", "conversation", 2],
    ["before it ends", "before", "turn", 2],
  ] as const)(
    "has stored a file %s tells the model of it, or the next turn does",
    async (_, when, kind, number) => {
      const { one, other, prompt } = twoServers();
      const id = await newConversation(one.server);
      await turn(one.server, id, "a");
      one.at(when, kind, number, async () => {
        const path = `/conversations/${id}/uploads/data.csv`;
        expect((await ask(other.server, path, { method: "PUT", body: "a,b" })).status).toBe(201);
      });
      isWhole(await turn(one.server, id, "b"));
      isWhole(await turn(one.server, id, "c"));
      isWhole(await turn(one.server, id, "d"));
      expect(prompt().filter((text) => text.includes("data.csv"))).toEqual([
        expect.stringMatching(number === 1 ? /^b/ : /^c/),
      ]);
    },
  );
});

test("a turn whose session another program has changed begins again with what is stored", async () => {
  const { store, one, prompt } = twoServers();
  const id = await newConversation(one.server);
  await turn(one.server, id, "a");
  const sessions = recordSessions(store);
  const scope = { app, user: "ada", session: id };
  const append = [{ role: "user", content: "from elsewhere" }];
  await sessions.update(scope, { from: (await sessions.get(scope))?.revision ?? 0, append });
  const events = await turn(one.server, id, "b");
  expect(events.at(-2)?.data).toMatchObject({ type: "finish", finishReason: "stop" });
  expect(JSON.stringify(events)).toMatch(/"2\.".*turn\.begun-again.*"3\."/);
  expect(prompt()).toEqual(["a", "Answer 1.", "from elsewhere", "b"]);
  expect((await sessions.get(scope))?.history).toHaveLength(5);
});

test.each([
  ["when the turn has just begun", "after", "turn", 1],
  ["before its message is stored", "before", "conversation", 1],
  ["when its message has just been stored", "after", "conversation", 1],
] as const)("a request of the other server to stop ends the turn, also %s", async (_, when, kind, number) => {
  const store = memoryRecords();
  const { records, at } = betweenCalls(store);
  const gate = heldTool();
  const one = testServer({ ...withTool(gate.tool), app, records });
  const other = testServer({ ...withTool(gate.tool), app, records: store });
  const id = await newConversation(one);
  let stopped: Promise<Response> | undefined;
  at(when, kind, number, async () => {
    stopped = ask(other, `/conversations/${id}/stop`, { method: "POST" });
    await settled();
  });
  const events = await turn(one, id, "Wait");
  expect(events.at(-2)?.data).toMatchObject({ type: "abort" });
  expect(await (await stopped)?.json()).toEqual({ stopped: true });
});
