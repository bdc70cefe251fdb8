import { describe, expect, test } from "vitest";
import { delegate } from "../src/delegate.js";

class Counter {
  #count = 1;
  count(): number {
    return this.#count;
  }
  add(): void {
    this.#count++;
  }
}

describe("a delegate", () => {
  test("a delegate of a class instance keeps its private state and its properties", () => {
    const counter = delegate(new Counter(), { add: () => undefined });
    counter.add();
    expect(counter.count()).toBe(1);
    expect("count" in counter).toBe(true);
    expect("pause" in counter).toBe(false);
  });

  test("a delegate of a frozen object works", () => {
    const port = Object.freeze({ name: "port", run: () => 1, stop: () => 2 });
    const replaced = delegate<{ name: string; run(): number; stop(): number }>(port, { run: () => 3 });
    expect([replaced.name, replaced.run(), replaced.stop()]).toEqual(["port", 3, 2]);
  });
});
