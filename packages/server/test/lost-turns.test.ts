import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { SessionScope, TurnStore } from "@skillwright/core";
import { delegate, type StoredTurn, type TurnReading } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { processesWith } from "../../runtime-local/test/running.js";
import { command, commandServers } from "./command-servers.js";
import { allEvents, ask, type Sent } from "./test-server.js";

const STEPS = (file: string) => [
  { calls: [{ tool: "skill_load", input: { skill: "shout" } }] },
  { calls: [{ tool: "skill_run", input: { skill: "shout", command: command(file) } }] },
  { text: "It is done." },
];

test("SERVE-90: a server that is alive keeps its turn and its command when the clock jumps", async () => {
  const clock = jumpingClock();
  const { file, server, begin, go } = await commandServers(STEPS, { leaseMs: 12_000, turns: clock.turns });
  const { reading } = await begin(server());
  clock.jump(600_000);
  await ask(server(), "/conversations");
  // The other server has found the turn, which looked abandoned, and the first server has renewed it since then.
  await expect.poll(() => clock.isHeld()).toBe(true);
  expect(clock.found()).toBeGreaterThan(0);
  await go();
  const events = await reading;
  expect(exitCodes(events)).toEqual([0]);
  expect(JSON.stringify(events)).not.toContain("turn.taken-over");
  expect(events.at(-1)?.data).toBe("[DONE]");
  expect(await readFile(`${file}.ran`, "utf8")).toBe("ran\n");
});

test("SERVE-91: a server that was too slow and lost its turn does not end the command, which belongs to the next server", async () => {
  const { file, server, begin, go, turns } = await commandServers(STEPS);
  const { id, reading } = await begin(server());
  const scope = { app: "shared", user: "ada", session: id };
  expect(await holdUntil(turns, scope, 0)).toBe(true);
  await ask(server(), "/conversations");
  await expect.poll(async () => (await turns.get(scope)).stored?.token).toBe(2);
  await go();
  const events = await reading;
  expect(exitCodes(events)).toEqual([0]);
  expect(JSON.stringify(events).match(/turn\.taken-over/g)).toHaveLength(1);
  expect(events.filter(({ data }) => data !== "[DONE]" && data["type"] === "finish")).toHaveLength(1);
  expect(await readFile(`${file}.ran`, "utf8")).toBe("ran\n");
});

test("SERVE-93: a server that lacks the agent of a turn leaves the turn to a server that has the agent", async () => {
  let looks = 0;
  const counted = (store: TurnStore) =>
    delegate(store, {
      lapsed: async (...given) => {
        looks++;
        return await store.lapsed(...given);
      },
    });
  const { server, begin, go } = await commandServers(STEPS, { leaseMs: 300, turns: counted });
  const first = server();
  const { id, reading } = await begin(first);
  await first.close();
  await reading;
  const other = server("other");
  await ask(other, "/conversations");
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 3);
  const last = server();
  await go();
  const events = await allEvents(await ask(last, `/conversations/${id}/stream`));
  expect(exitCodes(events)).toEqual([0]);
  expect(events.filter(({ data }) => data !== "[DONE]" && data["type"] === "error")).toEqual([]);
});

test("SERVE-95: after a server has died, a stop ends its command before another server takes the turn over", async () => {
  const { file, server, begin, turns } = await commandServers(STEPS);
  const first = server();
  const { id, reading } = await begin(first);
  expect(processesWith(file)).not.toEqual([]);
  await first.close();
  await reading;
  const scope = { app: "shared", user: "ada", session: id };
  // The same state as after the sudden death of a server: nobody has the turn, but its lease has not expired.
  expect(await holdUntil(turns, scope, Date.now() + 3_600_000)).toBe(true);
  const second = server();
  const stopped = ask(second, `/conversations/${id}/stop`, { json: {} });
  await expect.poll(() => processesWith(file)).toEqual([]);
  expect((await turns.get(scope)).stored).toMatchObject({ state: "active", stopRequested: true });
  expect(await holdUntil(turns, scope, 0)).toBe(true);
  expect(await (await stopped).json()).toEqual({ stopped: true });
});

/** Changes the time at which the turn's lease expires, by the clock of the store. */
async function holdUntil(turns: TurnStore, scope: SessionScope, untilMs: number): Promise<boolean> {
  const { stored } = await turns.get(scope);
  return await turns.put({ ...(stored as StoredTurn), untilMs, stamp: randomUUID() }, stored?.stamp);
}

/** A store whose clock jumps for all servers at once. */
function jumpingClock() {
  let aheadMs = 0;
  let found = 0;
  let scope: SessionScope | undefined;
  let clocked: TurnStore | undefined;
  const isLapsed = ({ stored, nowMs }: TurnReading) => stored?.state === "active" && stored.untilMs <= nowMs;
  /** After the jump, a renewal waits until another server has found the turn. */
  const turns = (store: TurnStore): TurnStore => {
    const get: TurnStore["get"] = async (...given) => {
      const { stored, nowMs } = await store.get(...given);
      return { stored, nowMs: nowMs + aheadMs };
    };
    clocked = delegate(store, {
      get,
      put: async (...given) => {
        ({ scope } = given[0]);
        while (aheadMs > 0 && found === 0) await delay(5);
        return await store.put(...given);
      },
      lapsed: async () => {
        const reading = scope && (await get(scope));
        if (!reading?.stored || !isLapsed(reading)) return [];
        found++;
        return [reading.stored];
      },
    });
    return clocked;
  };
  return {
    turns,
    jump: (byMs: number) => {
      aheadMs += byMs;
    },
    found: () => found,
    isHeld: async () => {
      const reading = scope && (await clocked?.get(scope));
      return reading?.stored?.state === "active" && !isLapsed(reading);
    },
  };
}

function exitCodes(events: readonly Sent[]): readonly unknown[] {
  return events.flatMap(({ data }) => {
    const output = data !== "[DONE]" && data["type"] === "tool-output-available" && data["output"];
    const { exit_code: code } = (output || {}) as { readonly exit_code?: number };
    return code === undefined ? [] : [code];
  });
}
