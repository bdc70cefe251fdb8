import { once } from "node:events";
import type { TurnKey } from "@skillwright/core/adapter";
import { beforeEach, expect, it } from "vitest";
import type { TurnQueue } from "../../src/bullmq.js";
import { holdingProcess } from "./holding-process.js";

export interface QueueSubject {
  /** A new handle of the same queues. */
  open(): Promise<TurnQueue>;
  /** The same in another process: the module that exports `open(place)`, and the place. */
  readonly module: URL;
  readonly place: string;
}

/** What every queue of turns promises. */
export function testTurnQueue(subject: () => QueueSubject): void {
  let app: string;
  let number = 0;
  beforeEach(() => {
    app = `app ${++number}: ä/`;
  });
  const turn = (name: string, of = app): TurnKey => ({
    scope: { app: of, user: "u:1", session: "s/ß" },
    turn: name,
  });

  it("gives each turn to one worker, with all its parts, and none of another application", async () => {
    const [first, second, other] = [await subject().open(), await subject().open(), await subject().open()];
    const seen: TurnKey[] = [];
    const see = async (one: TurnKey) => void seen.push(one);
    await other.add(turn("elsewhere", "another"));
    await first.work(app, see);
    await second.work(app, see);
    const turns = Array.from({ length: 20 }, (_, index) => turn(`t${index}`));
    await Promise.all(turns.map((one, index) => (index % 2 ? first : second).add(one)));
    await expect.poll(() => seen.length).toBe(20);
    for (const one of turns) expect(seen).toContainEqual(one);
    for (const queue of [first, second, other]) await queue.close();
    expect(seen.length).toBe(20);
  });

  it("does not add a turn that waits or is worked on, and adds one that is done", async () => {
    const queue = await subject().open();
    await queue.add(turn("t"));
    await queue.add(turn("t"));
    const seen: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await queue.work(app, async ({ turn: name }) => {
      seen.push(name);
      if (seen.length === 1) await held;
    });
    await expect.poll(() => seen).toEqual(["t"]);
    await queue.add(turn("t"));
    await queue.add(turn("last"));
    await expect.poll(() => seen).toEqual(["t", "last"]);
    release();
    // Until the engine knows that the first is done, it is not added.
    await expect
      .poll(async () => {
        await queue.add(turn("t"));
        return seen.filter((name) => name === "t").length;
      })
      .toBeGreaterThan(1);
    await queue.close();
  });

  it("gives a turn again that was not seen to its end", async () => {
    const queue = await subject().open();
    let times = 0;
    await queue.add(turn("t"));
    await queue.work(app, async () => {
      if (++times < 3) throw new Error("the store is away");
    });
    await expect.poll(() => times).toBe(3);
    await queue.close();
  });

  it("fires the signal at stop, and gives what is open to another worker", async () => {
    const [first, second] = [await subject().open(), await subject().open()];
    await first.add(turn("t"));
    let started = false;
    const work = await first.work(app, async (_, { signal }) => {
      started = true;
      await once(signal, "abort");
      throw new Error("stopped");
    });
    await expect.poll(() => started).toBe(true);
    await work.stop();
    const seen: TurnKey[] = [];
    await second.work(app, async (one) => void seen.push(one));
    await expect.poll(() => seen).toEqual([turn("t")]);
    await first.close();
    await second.close();
  });

  it("gives the turn of a process that was killed to another one", async () => {
    const queue = await subject().open();
    await queue.add(turn("t"));
    const holder = await holdingProcess(subject(), app);
    expect(holder.turn).toEqual(turn("t"));
    await holder.kill();
    const seen: TurnKey[] = [];
    await queue.work(app, async (one) => void seen.push(one));
    await expect.poll(() => seen, { timeout: 120_000 }).toEqual([turn("t")]);
    await queue.close();
  });
}
