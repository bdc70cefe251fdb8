import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentServer } from "../src/index.js";
import { betweenCalls, dyingAt } from "./between-calls.js";
import { heldTool, withTool } from "./held-tool.js";
import { signalled } from "./signalled.js";
import { allEvents, ask, newConversation, say, scripted, testServer } from "./test-server.js";

const app = "queued-elsewhere";

/** Sends a message that waits where the conversation is busy. */
async function queue(server: AgentServer, id: string, text: string) {
  const json = { message: { parts: [{ type: "text", text }] }, whenBusy: "queue" };
  return await ask(server, `/conversations/${id}/turns`, { json });
}

/** What the conversation holds once no turn is active and no message waits. */
async function wholeHistory(server: AgentServer, id: string): Promise<readonly string[]> {
  const turns = async () => await (await ask(server, `/conversations/${id}/turns`)).json();
  await expect.poll(turns).toEqual({ queued: [] });
  const messages = (await (await ask(server, `/conversations/${id}/messages`)).json()) as {
    parts: { text?: string }[];
  }[];
  return messages.map(({ parts }) => parts.map(({ text = "" }) => text).join(""));
}

/** Two servers that share a store. Work can be done between the writes of the first one. */
function twoServers() {
  const store = memoryRecords();
  const { records, at } = betweenCalls(store);
  const one = testServer({ ...scripted([{ text: "Yes." }]), app, records });
  const other = testServer({ ...scripted([{ text: "Yes." }]), app, records: store });
  return { one, other, at, store };
}

describe("a message that another server queues", () => {
  test.each([
    ["before the first server begins its turn", "before", "turn", 1],
    ["after the turn has begun", "after", "turn", 1],
    ["before the message of the turn is stored", "before", "conversation", 1],
    ["before the answer is stored", "before", "conversation", 2],
    ["between the answer and the end", "after", "conversation", 2],
    ["just before the turn ends", "before", "turn", 2],
    ["just after the turn has ended", "after", "turn", 2],
  ] as const)("%s is answered after the turn", async (_, when, kind, number) => {
    const { one, other, at } = twoServers();
    const id = await newConversation(one);
    let answer: Response | undefined;
    at(when, kind, number, async () => {
      answer = await queue(other, id, "second");
    });
    const first = await say(one, id, "first");
    await allEvents(first);
    const isFirst = first.status === 200;
    // Before the first turn begins, the conversation is not busy.
    expect([first.status, answer?.status]).toEqual(
      kind === "turn" && number === 1 && when === "before" ? [409, 200] : [200, expect.any(Number)],
    );
    expect(await wholeHistory(other, id)).toEqual(
      isFirst ? ["first", "Yes.", "second", "Yes."] : ["second", "Yes."],
    );
  });

  test("is answered after earlier messages that nobody noted in the turn", async () => {
    const { one, other, at } = twoServers();
    const id = await newConversation(one);
    at("before", "conversation", 2, async () => {
      for (const text of ["second", "third"]) expect((await queue(other, id, text)).status).toBe(202);
    });
    await allEvents(await say(one, id, "first"));
    expect(await wholeHistory(other, id)).toEqual(["first", "Yes.", "second", "Yes.", "third", "Yes."]);
  });

  test("is answered if the turn that it was to wait for has ended and the next one is about to end", async () => {
    const { one, at, store } = twoServers();
    const gate = heldTool();
    const holding = testServer({ ...withTool(gate.tool), app, records: store });
    const queueing = betweenCalls(store);
    const other = testServer({ ...scripted([{ text: "Yes." }]), app, records: queueing.records });
    const id = await newConversation(one);
    const first = await say(holding, id, "first");
    await gate.called;
    const [ending, told] = signalled();
    const [queued, goOn] = signalled();
    let second: Promise<unknown> | undefined;
    queueing.at("before", "conversation", 1, async () => {
      gate.open();
      await allEvents(first);
      // The end of the second turn waits until the message is stored and its server has looked for a turn. The first write is refused,
      // because another server had the first turn.
      at("before", "turn", 3, async () => {
        told();
        await queued;
      });
      second = say(one, id, "second").then(allEvents);
      await ending;
    });
    const answer = await queue(other, id, "third");
    expect(answer.status).toBe(202);
    goOn();
    await second;
    expect(await wholeHistory(other, id)).toEqual(["first", "Done.", "second", "Yes.", "third", "Yes."]);
  });

  for (const when of ["before", "after"] as const)
    for (const number of [1, 2])
      for (const end of ["before the answer", "after the answer"] as const)
        test(`is lost in no store if its server is killed ${when} its write ${number}, ${end} of the turn`, async () => {
          const { one, other, at, store } = twoServers();
          const id = await newConversation(one);
          const kind = end === "before the answer" ? "conversation" : "turn";
          const killed = testServer({
            ...{ ...scripted([{ text: "No." }]), app, log: silent },
            records: dyingAt(store, number, when),
          });
          let answer: Response | undefined;
          at("before", kind, 2, async () => {
            answer = await queue(killed, id, "second");
          });
          await allEvents(await say(one, id, "first"));
          // The first write notes the message in the turn, the second one stores it.
          const isStored = number === 2 && when === "after";
          expect(answer?.status).toBe(500);
          expect(await wholeHistory(other, id)).toEqual([
            ...["first", "Yes."],
            ...(isStored ? ["second", "Yes."] : []),
          ]);
        });
});

const nothing = () => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
