import type { RecordStore } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { expect } from "vitest";
import type { AgentServerOptions } from "../src/index.js";
import { allEvents, keptLog, type Sent, say, testServer } from "./test-server.js";

/** The kinds of the records that were read, listed, written and deleted, sorted. */
export interface StoreCalls {
  readonly read: readonly string[];
  readonly written: readonly string[];
}

/**
 * A server whose calls of the store can be counted. Appended events are not counted, because their number depends on how fast they
 * come. Between turns the server makes no call, and no turn is so long that it is renewed.
 */
export function countedServer(options: Partial<AgentServerOptions> & { readonly records: RecordStore }) {
  const { records: store } = options;
  const read: string[] = [];
  const written: string[] = [];
  const noted =
    <Given extends unknown[], Result>(to: string[], call: (...given: Given) => Result) =>
    (...given: Given): Result => {
      to.push((given[0] as readonly string[])[0] ?? "");
      return call(...given);
    };
  const records = delegate(store, {
    get: noted(read, store.get),
    read: noted(read, store.read),
    list: noted(read, store.list),
    write: noted(written, store.write),
    delete: noted(written, store.delete),
  });
  const { log, entries } = keptLog();
  // Without a queue, the server looks for turns of others from time to time.
  const close = async () => undefined;
  const queue = { add: close, work: async () => ({ stop: close }), close, [Symbol.asyncDispose]: close };
  const server = testServer({ leaseMs: 3_600_000, queue, log, ...options, records });
  const ended = () => entries("info").filter(({ message }) => message === "Turn ended").length;

  /** The calls that the work makes, and with it those of the turn that it starts. */
  async function callsOf(work: () => Promise<unknown>): Promise<StoreCalls> {
    const before = ended();
    for (const calls of [read, written]) calls.length = 0;
    await work();
    await expect.poll(ended).toBeGreaterThan(before);
    await settled();
    return { read: [...read].sort(), written: [...written].sort() };
  }

  return {
    server,
    callsOf,
    /** Says something, reads the turn to its end, and returns its calls. */
    turn: async (conversation: string, text = "Hi") => {
      let events: readonly Sent[] = [];
      const calls = await callsOf(async () => {
        events = await allEvents(await say(server, conversation, text));
      });
      expect(events.at(-2)?.data).toMatchObject({ type: "finish", finishReason: "stop" });
      return calls;
    },
  };
}

/** A store in memory answers without a timer, so that whatever follows a turn is done after a few rounds of the event loop. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 10; round++) await new Promise(setImmediate);
}
