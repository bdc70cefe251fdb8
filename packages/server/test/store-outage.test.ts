import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { recordSessions, recordTurns } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentServerOptions } from "../src/index.js";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, ask, newConversation, type Sent, say, testServer } from "./test-server.js";

const SESSION_CALLS = ["get", "update"] as const;
const TURN_CALLS = ["get", "put", "append", "read", "lapsed"] as const;

describe("a turn during which a store is away", () => {
  test("SERVE-92: delivers each event once after the store of turns was away", async () => {
    const outage = outageOf(recordTurns(memoryRecords()), TURN_CALLS);
    const { reading, open } = await heldTurn({ turns: outage.store });
    outage.begin();
    open();
    await expect.poll(() => Math.min(outage.failed("append"), outage.failed("read"))).toBeGreaterThan(0);
    outage.end();
    expectWhole(await reading);
  });

  test("SERVE-92: delivers no event twice if the store added it and only the answer was lost", async () => {
    const outage = outageOf(recordTurns(memoryRecords()), ["append"], { isDone: true });
    const { reading, open } = await heldTurn({ turns: outage.store });
    outage.begin();
    open();
    await expect.poll(() => outage.failed("append")).toBeGreaterThan(0);
    outage.end();
    expectWhole(await reading);
  });

  for (const isDone of [false, true])
    test(`SERVE-92: goes on after the store of sessions was away, ${isDone ? "if it had stored the step" : "if it had stored nothing"}`, async () => {
      const outage = outageOf(recordSessions(memoryRecords()), isDone ? ["update"] : SESSION_CALLS, {
        isDone,
      });
      const { server, id, reading, open } = await heldTurn({ sessions: outage.store });
      outage.begin();
      open();
      await expect.poll(() => outage.failed("update")).toBeGreaterThan(0);
      outage.end();
      expectWhole(await reading);
      const history = await (await ask(server, `/conversations/${id}/messages`)).json();
      expect(JSON.stringify(history)).toContain("Done.");
    });

  test("SERVE-92: is released for any server if the store of sessions is away for longer than `leaseMs`", async () => {
    const outage = outageOf(recordSessions(memoryRecords()), SESSION_CALLS);
    const turns = recordTurns(memoryRecords());
    const { server, id, reading, open } = await heldTurn({ sessions: outage.store, turns, leaseMs: 300 });
    const token = async () => (await turns.get({ app: "outage", user: "ada", session: id })).stored?.token;
    outage.begin();
    open();
    await expect.poll(token).toBe(2);
    outage.end();
    const events = await reading;
    expect(finishes(events)).toEqual(["stop"]);
    expect(JSON.stringify(events)).toContain("turn.taken-over");
    const history = await (await ask(server, `/conversations/${id}/messages`)).json();
    expect(JSON.stringify(history)).toContain("Done.");
  });
});

/** A turn whose tool waits until the test calls `open`. */
async function heldTurn(stores: Partial<AgentServerOptions>) {
  const gate = heldTool();
  const server = testServer({ ...withTool(gate.tool), app: "outage", ...stores });
  const id = await newConversation(server);
  const reading = allEvents(await say(server, id, "Wait"));
  await gate.called;
  return { server, id, reading, open: gate.open };
}

/** Expects events without a gap, with the tool's result once and one end. */
function expectWhole(events: readonly Sent[]): void {
  expect(events.map(({ id }) => id)).toEqual([...Array(events.length - 1).keys(), undefined]);
  expect(events.at(-1)?.data).toBe("[DONE]");
  expect(typesOf(events).filter((type) => type === "tool-output-available")).toHaveLength(1);
  expect(finishes(events)).toEqual(["stop"]);
  expect(JSON.stringify(events)).not.toContain("turn.taken-over");
}

function typesOf(events: readonly Sent[]): readonly unknown[] {
  return events.flatMap(({ data }) => (data === "[DONE]" ? [] : [data["type"]]));
}

function finishes(events: readonly Sent[]): readonly unknown[] {
  return events.flatMap(({ data }) =>
    data !== "[DONE]" && data["type"] === "finish" ? [data["finishReason"]] : [],
  );
}

/**
 * A store whose methods with these names fail between `begin` and `end`.
 * @param options `isDone`: the first failing call of each method does its work, and only its answer is lost.
 */
function outageOf<Store extends object>(
  store: Store,
  names: readonly (keyof Store & string)[],
  { isDone = false }: { readonly isDone?: boolean } = {},
) {
  let isAway = false;
  const failures = new Map<string, number>();
  const failing =
    (name: keyof Store & string) =>
    async (...given: unknown[]) => {
      const call = () => (store[name] as (...args: unknown[]) => Promise<unknown>)(...given);
      if (!isAway) return await call();
      const before = failures.get(name) ?? 0;
      failures.set(name, before + 1);
      if (isDone && before === 0) await call();
      throw new SkillError("BACKEND_FAILED", `${name} failed: the store is away.`);
    };
  const replaced = Object.fromEntries(names.map((name) => [name, failing(name)])) as Partial<Store>;
  return {
    store: delegate(store, replaced),
    begin: () => {
      isAway = true;
    },
    end: () => {
      isAway = false;
    },
    failed: (name: keyof Store & string) => failures.get(name) ?? 0,
  };
}
