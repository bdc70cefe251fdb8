import { SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { heldTool, withTool } from "./held-tool.js";
import {
  allEvents,
  ask,
  eventsOf,
  keptLog,
  newConversation,
  say,
  scripted,
  testServer,
} from "./test-server.js";

describe("a turn", () => {
  test("SERVE-01: runs a skill on an uploaded file and streams every step with offsets from 0", async () => {
    const server = testServer();
    const id = await newConversation(server);
    const uploaded = await ask(server, `/conversations/${id}/uploads/note.txt`, {
      method: "PUT",
      body: "hello\n",
    });
    expect(uploaded.status).toBe(201);
    const answer = await say(server, id, "Write the note in capital letters");
    expect(answer.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const events = await allEvents(answer);
    expect(events.at(-1)).toEqual({ id: undefined, data: "[DONE]" });
    expect(events.slice(0, -1).map((one) => one.id)).toEqual([...events.keys()].slice(0, -1));
    const types = events.map(({ data }) => (data === "[DONE]" ? data : data["type"]));
    expect(types[0]).toBe("start");
    expect(types).toContain("tool-output-available");
    expect(types).toContain("data-step");
    const runs = events.flatMap(({ data }) =>
      data !== "[DONE]" && data["type"] === "data-run" ? [data["data"]] : [],
    );
    expect(runs.at(-1)).toMatchObject({
      state: "ended",
      exitCode: 0,
      command: expect.stringContaining("shout.sh"),
    });
    const artifacts = (await (await ask(server, `/conversations/${id}/artifacts`)).json()) as {
      name: string;
    }[];
    expect(artifacts).toMatchObject([{ name: expect.stringContaining("loud.txt"), version: 0 }]);
    const { output } = runs.at(-1) as { output: string };
    const log = await allEvents(await ask(server, output.replace("/v1", "")));
    expect(log.map(({ data }) => (data === "[DONE]" ? data : data["type"]))).toEqual(
      expect.arrayContaining(["run.started", "run.ended", "[DONE]"]),
    );
    const history = (await (await ask(server, `/conversations/${id}/messages`)).json()) as { role: string }[];
    expect(history.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("SERVE-02: goes on when its reader leaves, and another reader gets all of it", async () => {
    const gate = heldTool();
    const server = testServer(withTool(gate.tool));
    const id = await newConversation(server);
    const left = eventsOf(await say(server, id, "Wait"));
    await left.next();
    await left.return();
    await gate.called;
    const again = await ask(server, `/conversations/${id}/stream`);
    expect(again.status).toBe(200);
    gate.open();
    const events = await allEvents(again);
    expect(events[0]).toMatchObject({ id: 0, data: { type: "start" } });
    expect(events.at(-2)).toMatchObject({ data: { type: "finish", finishReason: "stop" } });
    expect((await ask(server, `/conversations/${id}/stream`)).status).toBe(204);
  });

  test("SERVE-03: continues from an offset, and from the event after the last one that was received", async () => {
    const server = testServer(scripted([{ text: "one two three" }]));
    const id = await newConversation(server);
    const answer = await say(server, id, "Count");
    const turn = answer.headers.get("content-location")?.replace("/v1", "") ?? "";
    const all = await allEvents(answer);
    for (const offset of all.keys()) {
      expect(await allEvents(await ask(server, `${turn}?offset=${offset}`))).toEqual(all.slice(offset));
      const headers = { "last-event-id": String(offset) };
      if (offset < all.length - 1)
        for (const address of [turn, `${turn}?offset=0`])
          expect(await allEvents(await ask(server, address, { headers }))).toEqual(all.slice(offset + 1));
    }
  });

  test("reports no run for a tool that runs no command", async () => {
    const server = testServer(
      scripted([{ calls: [{ tool: "workspace_list", input: {} }] }, { text: "Done." }]),
    );
    const events = await allEvents(await say(server, await newConversation(server), "List"));
    expect(JSON.stringify(events)).toContain("tool-output-available");
    expect(JSON.stringify(events)).not.toContain("data-run");
  });

  test("SERVE-04: is stopped by the stop endpoint, which answers when it has ended", async () => {
    const gate = heldTool();
    const server = testServer(withTool(gate.tool));
    const id = await newConversation(server);
    const answer = await say(server, id, "Wait");
    await gate.called;
    const stopped = await ask(server, `/conversations/${id}/stop`, { method: "POST" });
    expect(await stopped.json()).toEqual({ stopped: true });
    expect((await ask(server, `/conversations/${id}/stream`)).status).toBe(204);
    expect((await allEvents(answer)).at(-2)).toMatchObject({ data: { type: "abort" } });
    const again = await ask(server, `/conversations/${id}/stop`, { method: "POST" });
    expect(await again.json()).toEqual({ stopped: false });
  });

  test("SERVE-05: refuses a second message while it is active, and takes one after its end", async () => {
    const gate = heldTool();
    const server = testServer(withTool(gate.tool));
    const id = await newConversation(server);
    const answer = await say(server, id, "Wait");
    await gate.called;
    const second = await say(server, id, "And now?");
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({
      code: "CONFLICT",
      detail: expect.stringContaining("still running"),
    });
    gate.open();
    await allEvents(answer);
    expect((await say(server, id, "And now?")).status).toBe(200);
  });

  test("SERVE-73: ends with an error in the stream when the model fails, and the log has the error", async () => {
    const { log, entries } = keptLog();
    const server = testServer({ ...scripted([{ error: new Error("no model today") }]), log });
    const id = await newConversation(server);
    const events = await allEvents(await say(server, id, "Hello"));
    const { messageId: turn } = Object(events[0]?.data);
    expect(entries("error")).toMatchObject([
      { message: "The turn failed", fields: { conversation: id, turn, err: expect.any(Error) } },
    ]);
    expect(String(entries("error")[0]?.fields["err"])).toContain("no model today");
    expect(events.slice(-3)).toMatchObject([
      { data: { type: "error", errorText: expect.stringContaining("no model today") } },
      { data: { type: "finish", finishReason: "error" } },
      { data: "[DONE]" },
    ]);
  });

  test("ends as stopped when it is stopped before its conversation is read", async () => {
    const store = memoryRecords();
    let read = (): void => undefined;
    const reading = new Promise<void>((resolve) => {
      read = resolve;
    });
    const get: typeof store.get = async (key, options = {}) => {
      if (key[0] === "uploads" && options.signal) {
        read();
        await untilAborted(new Promise(() => undefined), options.signal);
      }
      return await store.get(key, options);
    };
    const { log, entries } = keptLog();
    const server = testServer({
      ...scripted([{ text: "hello" }]),
      ...{ app: "held", records: { ...store, get }, log },
    });
    // The server that makes a conversation knows that it has no uploads.
    const id = await newConversation(testServer({ ...scripted([]), app: "held", records: store }));
    const answer = await say(server, id, "Hello");
    await reading;
    const stopped = await ask(server, `/conversations/${id}/stop`, { method: "POST" });
    expect(await stopped.json()).toEqual({ stopped: true });
    expect((await allEvents(answer)).slice(-2)).toMatchObject([
      { data: { type: "abort" } },
      { data: "[DONE]" },
    ]);
    expect(entries("error")).toEqual([]);
  });

  test("SERVE-74: goes on while its store cannot be asked whether to stop, and stops when it is asked afterwards", async () => {
    const gate = heldTool();
    const store = memoryRecords();
    let [isAway, refused] = [false, 0];
    const get: typeof store.get = async (key, ...given) => {
      if (!isAway || key[0] !== "turn") return await store.get(key, ...given);
      refused++;
      throw new SkillError("BACKEND_FAILED", "The store is away.");
    };
    /** The server asks the store only after a change, so that the test reports changes. */
    const told = new Set<() => void>();
    const watch: typeof store.watch = (key, listener) => {
      const tell = () => listener("any");
      told.add(tell);
      const end = store.watch(key, listener);
      return () => {
        told.delete(tell);
        end();
      };
    };
    const server = testServer({ ...withTool(gate.tool), records: { ...store, get, watch } });
    const id = await newConversation(server);
    const answer = await say(server, id, "Wait");
    await gate.called;
    isAway = true;
    for (const tell of told) tell();
    await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThan(2);
    isAway = false;
    gate.open();
    expect((await allEvents(answer)).slice(-2)).toMatchObject([
      { data: { type: "finish", finishReason: "stop" } },
      { data: "[DONE]" },
    ]);
  });

  test("ends when the server is closed", async () => {
    const gate = heldTool();
    const server = testServer(withTool(gate.tool));
    const id = await newConversation(server);
    const answer = await say(server, id, "Wait");
    await gate.called;
    await server.close();
    expect((await allEvents(answer)).slice(-2)).toMatchObject([
      { data: { type: "abort" } },
      { data: "[DONE]" },
    ]);
  });
});
