import { recordRegistry } from "@skillwright/records";
import { sqliteDatabase, sqlRecords } from "@skillwright/repository-sql";
import { expect, onTestFinished, test } from "vitest";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { allEvents, newConversation, say, scripted, testServer } from "./test-server.js";

const recorded = recordedSpans();

test("SERVE-60: a turn is one trace: model calls, tool calls, run and stores are below its span", async () => {
  const database = await sqliteDatabase(":memory:");
  onTestFinished(() => database.close());
  const command = "echo the-secret-output > out/secret-name.txt";
  const server = testServer({
    ...scripted([
      { calls: [{ tool: "skill_run", input: { skill: "shout", command } }] },
      { text: "the-secret-answer" },
    ]),
    records: sqlRecords({ database }),
    registry: recordRegistry(sqlRecords({ database })),
  });
  const conversation = await newConversation(server);
  recorded.reset();
  await allEvents(await say(server, conversation, "the-secret-question"));
  await expect.poll(() => spanOf("server.turn")).toBeDefined();
  const turn = spanOf("server.turn");
  expect(turn?.attributes).toEqual({ conversation, turn: expect.any(String), finish: "answered" });
  const below = recorded
    .spans()
    .filter((span) => span.spanContext().traceId === turn?.spanContext().traceId)
    .map(({ name }) => name);
  expect(below.filter((name) => name === "agent.model")).toHaveLength(2);
  expect(below).toEqual(
    expect.arrayContaining([
      ...["agent.turn", "tool.call", "workspace.run", "runtime.workspace.start"],
      ...["records.get", "records.write", "catalog.snapshot"],
    ]),
  );
  expect(recorded.text()).not.toContain("secret");
});

function spanOf(wanted: string) {
  return recorded.spans().find(({ name }) => name === wanted);
}
