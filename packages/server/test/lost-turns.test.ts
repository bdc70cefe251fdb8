import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { RecordStore, SessionScope } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { type StoredTurn, storedTurns } from "../../records/src/stored-turns.js";
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
  const { file, server, begin, go } = await commandServers(STEPS, {
    leaseMs: 12_000,
    records: clock.records,
  });
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
  const { file, server, begin, go, records } = await commandServers(STEPS);
  const { id, reading } = await begin(server());
  const scope = { app: "shared", user: "ada", session: id };
  expect(await holdUntil(records, scope, 0)).toBe(true);
  await ask(server(), "/conversations");
  await expect.poll(async () => (await storedTurns(records).get(scope)).held?.token).toBe(2);
  await go();
  const events = await reading;
  expect(exitCodes(events)).toEqual([0]);
  expect(JSON.stringify(events).match(/turn\.taken-over/g)).toHaveLength(1);
  expect(events.filter(({ data }) => data !== "[DONE]" && data["type"] === "finish")).toHaveLength(1);
  expect(await readFile(`${file}.ran`, "utf8")).toBe("ran\n");
});

test("SERVE-93: a server that lacks the agent of a turn leaves the turn to a server that has the agent", async () => {
  let looks = 0;
  const counted = (store: RecordStore) =>
    delegate(store, {
      list: async (...given) => {
        if (given[0][0] === "active-turn") looks++;
        return await store.list(...given);
      },
    });
  const { server, begin, go } = await commandServers(STEPS, { leaseMs: 300, records: counted });
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
  const { file, server, begin, records } = await commandServers(STEPS);
  const first = server();
  const { id, reading } = await begin(first);
  expect(processesWith(file)).not.toEqual([]);
  await first.close();
  await reading;
  const scope = { app: "shared", user: "ada", session: id };
  // The same state as after the sudden death of a server: nobody has the turn, but its lease has not expired.
  expect(await holdUntil(records, scope, Date.now() + 3_600_000)).toBe(true);
  const second = server();
  const stopped = ask(second, `/conversations/${id}/stop`, { json: {} });
  await expect.poll(() => processesWith(file)).toEqual([]);
  expect((await storedTurns(records).get(scope)).held).toMatchObject({
    state: "active",
    stopRequested: true,
  });
  expect(await holdUntil(records, scope, 0)).toBe(true);
  expect(await (await stopped).json()).toEqual({ stopped: true });
});

/** Changes the time at which the turn's lease expires, by the clock of the store. */
async function holdUntil(records: RecordStore, scope: SessionScope, untilMs: number): Promise<boolean> {
  const stored = storedTurns(records);
  const reading = await stored.get(scope);
  return (await stored.put(scope, reading, { ...(reading.held as StoredTurn), untilMs })) !== undefined;
}

/** A store whose clock jumps for all servers at once. */
function jumpingClock() {
  let aheadMs = 0;
  let found = 0;
  let turn: readonly string[] | undefined;
  let clocked: RecordStore | undefined;
  const isLapsed = async () => {
    const { value, nowMs } = (turn && (await clocked?.get(turn))) ?? {};
    const { state, untilMs = 0 } = (value ?? {}) as Partial<StoredTurn>;
    return state === "active" && untilMs <= (nowMs ?? 0);
  };
  /** After the jump, a renewal waits until another server has found the turn. */
  const records = (store: RecordStore): RecordStore => {
    clocked = delegate(store, {
      get: async (...given) => {
        const reading = await store.get(...given);
        return { ...reading, nowMs: reading.nowMs + aheadMs };
      },
      write: async (...given) => {
        if (given[0][0] === "turn") {
          [turn] = given;
          while (aheadMs > 0 && found === 0) await delay(5);
        }
        return await store.write(...given);
      },
      list: async (...given) => {
        if (given[0][0] === "active-turn" && (await isLapsed())) found++;
        return await store.list(...given);
      },
    });
    return clocked;
  };
  return {
    records,
    jump: (byMs: number) => {
      aheadMs += byMs;
    },
    found: () => found,
    isHeld: async () => turn !== undefined && !(await isLapsed()),
  };
}

function exitCodes(events: readonly Sent[]): readonly unknown[] {
  return events.flatMap(({ data }) => {
    const output = data !== "[DONE]" && data["type"] === "tool-output-available" && data["output"];
    const { exit_code: code } = (output || {}) as { readonly exit_code?: number };
    return code === undefined ? [] : [code];
  });
}
