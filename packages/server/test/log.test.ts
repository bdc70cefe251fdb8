import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { loggedError, textLog } from "../src/index.js";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, ask, keptLog, newConversation, say, scripted, testServer } from "./test-server.js";

const UUID = /^[0-9a-f-]{36}$/;
const HASH = /^[0-9a-f]{12}$/;

describe("SERVE-108: the log of a server", () => {
  test("has each request with the id of its answer, the route, status, duration and a hash of the user", async () => {
    const { log, entries } = keptLog();
    const server = testServer({ log });
    const id = await newConversation(server);
    const answer = await ask(server, `/conversations/${id}?secret=1`);
    await ask(server, "/none/secret");
    await ask(server, "/agents", { user: "nobody" });
    const [created, shown, ...others] = entries();
    expect(created?.fields["user"]).toMatch(HASH);
    expect(shown).toEqual({
      level: "info",
      message: "GET /v1/conversations/{conversation} 200",
      fields: {
        ...{ requestId: answer.headers.get("x-request-id"), method: "GET", status: 200 },
        ...{ route: "/v1/conversations/{conversation}", conversation: id },
        ...{ user: created?.fields["user"], ms: expect.any(Number) },
      },
    });
    expect(shown?.fields["requestId"]).toMatch(UUID);
    expect(others).toMatchObject([
      { message: "GET unknown path 404" },
      { message: "GET /v1/agents 401", fields: { user: undefined } },
    ]);
  });

  test("has the requests of health checks at the level debug", async () => {
    const { log, entries } = keptLog();
    const server = testServer({ log });
    for (const path of ["/health", "/ready"]) await ask(server, path);
    expect(entries().map(({ level, message }) => [level, message])).toEqual([
      ["debug", "GET /v1/health 200"],
      ["debug", "GET /v1/ready 200"],
    ]);
  });

  test("has the begin and the end of a turn, and nothing of what was said", async () => {
    const { log, entries } = keptLog();
    const server = testServer({ ...scripted([{ text: "the secret answer" }]), log });
    const id = await newConversation(server);
    const events = await allEvents(await say(server, id, "a secret question"));
    const { messageId: turn } = Object(events[0]?.data);
    const of = { conversation: id, turn, agent: "assistant", user: expect.stringMatching(HASH) };
    await expect.poll(() => turnsIn(entries())).toHaveLength(2);
    expect(turnsIn(entries())).toMatchObject([
      { level: "info", message: "Turn begun", fields: of },
      {
        ...{ level: "info", message: "Turn ended" },
        fields: { ...of, finish: "answered", steps: 1, ms: expect.any(Number) },
      },
    ]);
    expect(JSON.stringify(entries())).not.toMatch(/secret|"ada"/);
  });

  test("says that a turn was stopped", async () => {
    const { log, entries } = keptLog();
    const gate = heldTool();
    const server = testServer({ ...withTool(gate.tool), log });
    const id = await newConversation(server);
    const reading = allEvents(await say(server, id, "Wait"));
    await gate.called;
    const stopping = ask(server, `/conversations/${id}/stop`, { method: "POST" });
    gate.open();
    await stopping;
    await reading;
    await expect
      .poll(() => turnsIn(entries()).at(-1))
      .toMatchObject({ message: "Turn ended", fields: { finish: "aborted" } });
  });

  test("says that a turn failed, with its error", async () => {
    const { log, entries } = keptLog();
    const server = testServer({ ...scripted([{ error: new Error("no model today") }]), log });
    await allEvents(await say(server, await newConversation(server), "Hello"));
    await expect.poll(() => turnsIn(entries())).toHaveLength(3);
    expect(
      turnsIn(entries()).map(({ level, message, fields }) => [level, message, fields["finish"]]),
    ).toEqual([
      ["info", "Turn begun", undefined],
      ["error", "The turn failed", undefined],
      ["info", "Turn ended", "failed"],
    ]);
  });

  test("has the findings of workspaces", async () => {
    const { log, entries } = keptLog();
    const stored = recordRegistry(memoryRecords());
    let lists = 0;
    const list: typeof stored.list = async (options) => {
      if (lists++ === 0) throw new SkillError("BACKEND_FAILED", "No list.");
      return await stored.list(options);
    };
    const registry = delegate(stored, { list });
    const server = testServer({ ...scripted([{ text: "Hello" }]), log, registry });
    await allEvents(await say(server, await newConversation(server), "Hello"));
    await expect.poll(() => entries("warn")).toMatchObject([{ fields: { diagnostic: "sweep.failed" } }]);
  });
});

test("a logger of pino is a log, and writes an error without credentials", async () => {
  const lines: string[] = [];
  const log = pino(
    { level: "debug", serializers: { err: loggedError } },
    { write: (line: string) => void lines.push(line) },
  );
  const cause = new Error("connect ECONNREFUSED redis://ada:pass%40word@cache:6379, sent Bearer abc.def");
  const authenticate = () => Promise.reject(new SkillError("BACKEND_FAILED", "No users.", { cause }));
  const answer = await ask(testServer({ authenticate, log }), "/conversations");
  const written = lines.map((line) => JSON.parse(line)).find(({ err }) => err !== undefined);
  expect(written).toMatchObject({
    ...{ level: 50, msg: "GET /v1/conversations failed", requestId: answer.headers.get("x-request-id") },
    err: {
      ...{
        type: "SkillError",
        code: "BACKEND_FAILED",
        message: "No users.",
        stack: expect.stringContaining("at "),
      },
      cause: { message: "connect ECONNREFUSED redis://***@cache:6379, sent Bearer ***" },
    },
  });
  expect(lines.join()).not.toMatch(/pass%40word|abc\.def/);
});

test.each([
  ["debug", ["debug", "info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  [undefined, ["warn", "error"]],
  ["error", ["error"]],
] as const)("a log of lines from the level %s has the levels %j", (least, expected) => {
  const lines: string[] = [];
  const log = textLog((line) => lines.push(line), least);
  for (const level of ["debug", "info", "warn", "error"] as const) log[level]({}, level);
  expect(lines).toEqual(expected);
});

test("a line of a text log has each field whose value is not in the message, and no control characters", () => {
  const lines: string[] = [];
  textLog((line) => lines.push(line)).warn({ route: "/x", ms: 3, user: undefined }, "GET /x\n200");
  expect(lines).toEqual(["GET /x 200 (ms=3)"]);
});

function turnsIn(entries: ReturnType<ReturnType<typeof keptLog>["entries"]>) {
  return entries.filter(({ fields }) => "turn" in fields);
}
