import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { recordTurns } from "@skillwright/records";
import { memoryArtifacts, memoryRecords } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { conversations } from "../src/conversations/conversations.js";
import type { AgentServerOptions } from "../src/index.js";
import { allEvents, ask, keptLog, newConversation, say, scripted, testServer } from "./test-server.js";

const DAY_MS = 86_400_000;
const APP = "kept";
const COLLECTIONS = ["conversation", "session", "uploads", "turn", "question"].map((kind) => [
  kind,
  APP,
  "ada",
]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return () => void vi.useRealTimers();
});

describe("SERVE-112: what a server keeps", () => {
  test("a conversation that nobody changed for `conversationsMs` is removed with all it has", async () => {
    const { server, id, later, left } = await setUp({ keep: { conversationsMs: 10 * DAY_MS } });
    await later(9 * DAY_MS);
    expect(await left()).toMatchObject({ workspaces: 1, artifacts: 1 });
    const young = await newConversation(server);
    await ask(server, `/conversations/${young}`, { method: "PATCH", json: { title: "Young" } });
    await later(2 * DAY_MS);
    expect((await ask(server, `/conversations/${id}`)).status).toBe(404);
    expect(await left()).toMatchObject({ workspaces: 0, artifacts: 0, records: ["conversation"] });
    expect((await ask(server, `/conversations/${young}`)).status).toBe(200);
    await later(10 * DAY_MS);
    expect(await left()).toEqual({ workspaces: 0, artifacts: 0, records: [], users: 0 });
  });

  test("by default, events are removed after 30 days, and conversations and saved outputs stay", async () => {
    const { server, id, later, left, messages, events } = await setUp({});
    const said = await messages();
    await later(29 * DAY_MS);
    expect((await events()).status).toBe(200);
    await later(2 * DAY_MS);
    expect((await events()).status).toBe(404);
    expect(await messages()).toEqual(said);
    await later(3650 * DAY_MS);
    expect((await ask(server, `/conversations/${id}`)).status).toBe(200);
    expect(await left()).toMatchObject({ workspaces: 1, artifacts: 1, users: 1 });
  });

  test("saved outputs are removed after `outputsMs`, and messages stay", async () => {
    const { later, left, messages } = await setUp({ keep: { outputsMs: DAY_MS } });
    const said = await messages();
    await later(2 * DAY_MS);
    expect(await left()).toMatchObject({ artifacts: 0, workspaces: 1 });
    expect(await messages()).toEqual(said);
  });

  test("with `false`, nothing is removed", async () => {
    const keep = { eventsMs: false, outputsMs: false, conversationsMs: false } as const;
    const { later, left, events } = await setUp({ keep });
    const before = await left();
    await later(3650 * DAY_MS);
    expect(await left()).toEqual(before);
    expect((await events()).status).toBe(200);
  });

  test("a conversation that was changed after it was listed stays", async () => {
    const { records } = await setUp({});
    const stored = conversations(records, APP);
    const { id } = await stored.create("ada", { agent: "assistant" });
    const { updatedAt } = await stored.get("ada", id);
    expect(await stored.beginDelete("ada", id, { unchangedSince: "2020-01-01T00:00:00.000Z" })).toBe(false);
    expect(await stored.get("ada", id)).toMatchObject({ updatedAt });
    expect(await stored.beginDelete("ada", id, { unchangedSince: updatedAt })).toBe(true);
  });

  test("a conversation with an active turn is not removed; it is removed after the end of the turn", async () => {
    const keep = { eventsMs: DAY_MS, outputsMs: DAY_MS, conversationsMs: 2 * DAY_MS };
    const { id, records, later, left } = await setUp({ keep });
    const key = { turn: "waiting", scope: { app: APP, user: "ada", session: id } };
    const turn = await recordTurns(records).begin(key, { forMs: 3650 * DAY_MS });
    const before = await left();
    await later(DAY_MS + 60_000, 1);
    expect(await left()).toEqual(before);
    await later(DAY_MS, 1);
    expect(await left()).toEqual(before);
    await turn.end();
    await later(DAY_MS);
    expect(await left()).toEqual({ workspaces: 0, artifacts: 0, records: [], users: 0 });
  });

  test("a conversation whose deletion was broken off by the end of a process is removed", async () => {
    const { id, records, later, left } = await setUp({});
    await conversations(records, APP).beginDelete("ada", id);
    await later(DAY_MS);
    expect(await left()).toEqual({ workspaces: 0, artifacts: 0, records: [], users: 0 });
  });

  test("what could not be removed is reported, and removed the next time", async () => {
    const { log, entries } = keptLog();
    const { later, left, artifacts } = await setUp({ keep: { outputsMs: DAY_MS }, log });
    const list = vi.spyOn(artifacts, "list").mockRejectedValueOnce(new SkillError("BACKEND_FAILED", "Away."));
    await later(2 * DAY_MS, 1);
    const told = () => entries("error").map(({ message }) => message);
    await expect.poll(told).toEqual([expect.stringContaining("Removing what is kept no longer")]);
    list.mockRestore();
    expect(await left()).toMatchObject({ artifacts: 1 });
    await later(DAY_MS);
    expect(await left()).toMatchObject({ artifacts: 0 });
  });

  test("of two servers that share the records, one removes", async () => {
    const { later, left, shared } = await setUp({ keep: { outputsMs: DAY_MS } });
    testServer({ ...shared, keep: { outputsMs: DAY_MS } });
    await later(2 * DAY_MS);
    expect(await left()).toMatchObject({ artifacts: 0 });
    await later(0, 0);
  });

  test("a server with other times does not make the others look again", async () => {
    const { later, shared } = await setUp({ keep: { outputsMs: DAY_MS } });
    testServer({ ...shared, keep: { outputsMs: 2 * DAY_MS } });
    await later(DAY_MS, 4);
    await later(0, 0);
  });

  test.each(["eventsMs", "outputsMs", "conversationsMs"])(
    "a time of %s below a minute is refused",
    (part) => {
      for (const time of [59_999, -1, Number.NaN])
        expect(() => testServer({ keep: { [part]: time } })).toThrow(
          expect.objectContaining({
            code: "CONFIG_INVALID",
            message: expect.stringContaining(`keep.${part}`),
          }),
        );
    },
  );
});

/** A conversation with an upload, a command and a saved output. */
async function setUp(options: Partial<AgentServerOptions>) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  const runtime = localRuntime({ root, isolation: "none" });
  onTestFinished(async () => {
    await runtime.close();
    await removeTree(root);
  });
  let aheadMs = 0;
  const store = memoryRecords();
  const writes: (string | undefined)[] = [];
  const records = delegate(store, {
    get: async (...given) => {
      const reading = await store.get(...given);
      return { ...reading, nowMs: reading.nowMs + aheadMs };
    },
    write: async (...given) => {
      const written = await store.write(...given);
      if (written !== undefined) writes.push(given[0][0]);
      return written;
    },
  });
  const artifacts = memoryArtifacts();
  const run = { command: "echo kept > out/kept.txt", outputs: { globs: ["out/**"], save: true } };
  const shared = {
    ...scripted([{ calls: [{ tool: "workspace_run", input: run }] }, { text: "Done." }]),
    ...{ app: APP, records, artifacts, runtime },
  };
  const server = testServer({ ...shared, ...options });
  const id = await newConversation(server);
  const upload = await ask(server, `/conversations/${id}/uploads/a.txt`, { method: "PUT", body: "text" });
  expect(upload.status).toBe(201);
  const answer = await say(server, id, "Go on");
  const stream = answer.headers.get("content-location") ?? "";
  await allEvents(answer);
  const removals = () => writes.filter((kind) => kind === "retention").length;
  const left = async () => {
    const pages = await Promise.all(
      COLLECTIONS.map(async (one) => (await store.list(one)).records.map(() => one[0])),
    );
    const scope = { app: APP, user: "ada", session: id };
    return {
      records: pages.flat(),
      users: (await store.list(["user", APP])).records.length,
      artifacts: (await artifacts.list(scope)).length,
      workspaces: (await runtime.list()).length,
    };
  };
  return {
    ...{ server, id, records, artifacts, writes, shared, left },
    events: async () => await ask(server, stream.replace(/^\/v1/, "")),
    messages: async () => await (await ask(server, `/conversations/${id}/messages`)).json(),
    removals,
    /**
     * Lets the time pass on the clock of the store and the minute until the servers look, and waits until one has removed what is old:
     * it writes its record when it begins, and again when nothing is left to remove.
     */
    later: async (forMs: number, written = 2) => {
      const before = removals();
      aheadMs += forMs;
      vi.advanceTimersByTime(60_000);
      await expect.poll(removals).toBe(before + written);
    },
  };
}
