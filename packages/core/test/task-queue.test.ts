import { describe, expect, test } from "vitest";
import { taskQueue } from "../src/adapter.js";
import { SkillError } from "../src/index.js";

const aborted = expect.toSatisfy((error) => SkillError.is(error, "ABORTED"));

describe("a task queue", () => {
  test("runs tasks one after the other, even after one that failed", async () => {
    const queue = taskQueue();
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
    };
    const failing = queue.run(() => Promise.reject(new Error("no")));
    const all = [queue.run(task("a")), queue.run(task("b"))];
    await expect(failing).rejects.toThrow("no");
    await Promise.all(all);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  test("a task that gives up waiting neither runs nor lets the next one start too early", async () => {
    const queue = taskQueue();
    const order: string[] = [];
    let finish = () => {};
    const first = queue.run(() => new Promise<void>((resolve) => (finish = resolve)));
    const leaving = new AbortController();
    const second = queue.run(async () => void order.push("second"), leaving.signal);
    const third = queue.run(async () => void order.push("third"));
    leaving.abort();
    await expect(second).rejects.toThrow(aborted);
    order.push("first still runs");
    finish();
    await Promise.all([first, third, queue.idle()]);
    expect(order).toEqual(["first still runs", "third"]);
  });

  test("runs as many tasks at a time as the limit allows, in order of arrival", async () => {
    const queue = taskQueue(2);
    const order: string[] = [];
    const finish: (() => void)[] = [];
    const task = (name: string) => () => {
      order.push(name);
      return new Promise<void>((resolve) => void finish.push(resolve));
    };
    const all = [queue.run(task("a")), queue.run(task("b")), queue.run(task("c"))];
    await new Promise(setImmediate);
    expect(order).toEqual(["a", "b"]);
    finish[1]?.();
    await all[1];
    await new Promise(setImmediate);
    expect(order).toEqual(["a", "b", "c"]);
    finish[0]?.();
    finish[2]?.();
    await queue.idle();
    await Promise.all(all);
  });
});
