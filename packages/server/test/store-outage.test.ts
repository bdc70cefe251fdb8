import { type RecordStore, SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { storedTurns } from "../../records/src/stored-turns.js";
import type { AgentServer, AgentServerOptions } from "../src/index.js";
import { heldTool, withTool } from "./held-tool.js";
import { allEvents, ask, newConversation, type Sent, say, testServer } from "./test-server.js";

const READS = ["get", "read", "list"] as const;

describe("a turn during which the store is away", () => {
  test("SERVE-92: delivers each event once, and stores its steps and its answer", async () => {
    const outage = outageOf(memoryRecords(), [...READS, "write", "append"]);
    const { server, id, reading, open } = await heldTurn({ records: outage.store });
    outage.begin();
    open();
    await expect.poll(() => Math.min(outage.failed("append"), outage.failed("get"))).toBeGreaterThan(0);
    outage.end();
    expectWhole(await reading);
    expect(await history(server, id)).toContain("Done.");
  });

  test("SERVE-92: delivers no event twice if the store added it and only the answer was lost", async () => {
    const outage = outageOf(memoryRecords(), ["append"], { isDone: true });
    const { reading, open } = await heldTurn({ records: outage.store });
    outage.begin();
    open();
    await expect.poll(() => outage.failed("append")).toBeGreaterThan(0);
    outage.end();
    expectWhole(await reading);
  });

  for (const isDone of [false, true])
    test(`SERVE-92: goes on after its session could not be stored, ${isDone ? "if the store had stored the step" : "if it had stored nothing"}`, async () => {
      const outage = outageOf(memoryRecords(), ["write"], { isDone, of: "session" });
      const { server, id, reading, open } = await heldTurn({ records: outage.store });
      outage.begin();
      open();
      await expect.poll(() => outage.failed("write")).toBeGreaterThan(0);
      outage.end();
      expectWhole(await reading);
      expect(await history(server, id)).toContain("Done.");
    });

  test("SERVE-92: is released for any server if its session cannot be stored for longer than `leaseMs`", async () => {
    const outage = outageOf(memoryRecords(), [...READS, "write"], { of: "session" });
    const { server, id, reading, open } = await heldTurn({ records: outage.store, leaseMs: 300 });
    const scope = { app: "outage", user: "ada", session: id };
    outage.begin();
    open();
    await expect.poll(async () => (await storedTurns(outage.store).get(scope)).held?.token).toBe(2);
    outage.end();
    const events = await reading;
    expect(finishes(events)).toEqual(["stop"]);
    expect(JSON.stringify(events)).toContain("turn.taken-over");
    expect(await history(server, id)).toContain("Done.");
  });
});

async function history(server: AgentServer, id: string): Promise<string> {
  return await (await ask(server, `/conversations/${id}/messages`)).text();
}

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

type Method = (typeof READS)[number] | "write" | "append";

/**
 * A store whose methods with these names fail between `begin` and `end`.
 * @param options `isDone`: the first failing call of each method does its work, and only its answer is lost. `of`: only for these
 * records.
 */
function outageOf(
  store: RecordStore,
  names: readonly Method[],
  { isDone = false, of }: { readonly isDone?: boolean; readonly of?: string } = {},
) {
  let isAway = false;
  const failures = new Map<string, number>();
  const failing =
    (name: Method) =>
    async (...given: unknown[]) => {
      const call = () => (store[name] as (...args: unknown[]) => Promise<unknown>)(...given);
      const [[kind] = []] = given as [readonly string[]];
      if (!isAway || (of !== undefined && kind !== of)) return await call();
      const before = failures.get(name) ?? 0;
      failures.set(name, before + 1);
      if (isDone && before === 0) await call();
      throw new SkillError("BACKEND_FAILED", `${name} failed: the store is away.`);
    };
  const replaced = Object.fromEntries(names.map((name) => [name, failing(name)])) as Partial<RecordStore>;
  return {
    store: delegate(store, replaced),
    begin: () => {
      isAway = true;
    },
    end: () => {
      isAway = false;
    },
    failed: (name: Method) => failures.get(name) ?? 0,
  };
}
