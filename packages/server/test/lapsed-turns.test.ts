import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordTurns } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { expect, onTestFinished, test } from "vitest";
import { ask, newConversation, scripted, testServer } from "./test-server.js";

test("a turn whose process died is ended by the next one: the stream has an error, the history what was said", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const stores = () => ({ app: "shared", records: fsRecords({ root }) });
  const first = testServer({ ...scripted([{ text: "hello" }]), ...stores() });
  const session = await newConversation(first);
  await first.close();
  const scope = { app: "shared", user: "ada", session };
  const died = await recordTurns(stores().records).begin({ scope, turn: "died" }, { forMs: 0 });
  await died.append("events", [
    { type: "start", messageId: "died" },
    { type: "start-step" },
    { type: "text-start", id: "text-0" },
    { type: "text-delta", id: "text-0", delta: "I shall" },
  ]);

  const second = testServer({ ...scripted([{ text: "hello" }]), ...stores() });
  const stream = await (await ask(second, `/conversations/${session}/turns/died/stream`)).text();
  expect(stream).toMatch(
    /"I shall".*"type":"error".*process that ran this turn has ended.*"finish".*\[DONE\]/s,
  );
  const history = await (await ask(second, `/conversations/${session}/messages`)).json();
  expect(JSON.stringify(history)).toContain("I shall");
  await expect(died.append("events", ["late"])).rejects.toMatchObject({ code: "CONFLICT" });
  const next = await ask(second, `/conversations/${session}/turns`, {
    method: "POST",
    json: { message: { parts: [{ type: "text", text: "hi" }] } },
  });
  expect(await next.text()).toContain("hello");
});
