import assert from "node:assert/strict";
import { type ContractPromise, testBreakages, testContract } from "@skillwright/contracts";
import { describe, expect, test } from "vitest";

interface Counter {
  readonly next: () => number;
}

const promises: readonly ContractPromise<Counter, number>[] = [
  {
    id: "counter/first",
    promise: "It begins where it was told to.",
    seed: 5,
    run: async ({ next }) => assert.equal(next(), 5),
  },
  {
    id: "counter/up",
    promise: "It goes up by one.",
    seed: 0,
    run: async ({ next }) => assert.equal(next() - next(), -1),
  },
];

describe("a contract", () => {
  test("has one test per promise, named by id and sentence, each with a fresh subject for its seed", async () => {
    const { register, run } = runner();
    const seeds: number[] = [];
    testContract(register, promises, async (seed) => {
      seeds.push(seed);
      return counter(seed);
    });
    expect(await run()).toEqual({
      "counter/first: It begins where it was told to.": "passed",
      "counter/up: It goes up by one.": "passed",
    });
    expect(seeds).toEqual([5, 0]);
  });

  test("detects a broken promise, and still disposes of the subject", async () => {
    const { register, run } = runner();
    let disposed = 0;
    testContract(register, promises, async () => ({ ...counter(7), dispose: async () => void disposed++ }));
    expect(Object.values(await run())).toEqual(["failed", "passed"]);
    expect(disposed).toBe(2);
  });

  test("skips what is excluded, and rejects unknown ids", async () => {
    const { register, run } = runner();
    const create = async (seed: number): Promise<Counter> => counter(seed);
    testContract(register, promises, create, { skip: { "counter/first": "it always begins at 0" } });
    expect(Object.keys(await run())).toEqual(["counter/up: It goes up by one."]);
    const typo = { skip: { "counter/frist": "typo" } };
    expect(() => testContract(register, promises, create, typo)).toThrow("counter/frist");
  });
});

describe("the test of a contract", () => {
  const create = async (seed: number): Promise<Counter> => counter(seed);

  test("passes when each promise has an adapter that breaks it", async () => {
    const { register, run } = runner();
    const stuck = (): Counter => ({ next: () => 0 });
    testBreakages(register, promises, { "counter/first": stuck, "counter/up": stuck }, create);
    expect(new Set(Object.values(await run()))).toEqual(new Set(["passed"]));
  });

  test("fails for a promise that the broken adapter keeps, that has none, or that crashes on it", async () => {
    const { register, run } = runner();
    const crash = (): Counter => ({ next: () => (undefined as unknown as { x: number }).x });
    testBreakages(register, promises, { "counter/first": (good) => good }, create);
    testBreakages(register, promises.slice(0, 1), { "counter/first": crash }, create);
    expect(Object.values(await run())).toEqual(["failed", "failed", "failed", "passed", "failed"]);
  });
});

function counter(start: number): Counter {
  let value = start;
  return { next: () => value++ };
}

/** A test runner of a dozen lines; the kit needs no more. */
function runner(): {
  register: (name: string, run: () => Promise<void>) => void;
  run: () => Promise<Record<string, string>>;
} {
  const tests: { name: string; run: () => Promise<void> }[] = [];
  return {
    register: (name, run) => void tests.push({ name, run }),
    run: async () => {
      const results: [string, string][] = [];
      for (const { name, run } of tests.splice(0))
        results.push([
          results.some(([known]) => known === name) ? `${name} again` : name,
          await outcome(run),
        ]);
      return Object.fromEntries(results);
    },
  };
}

async function outcome(run: () => Promise<void>): Promise<string> {
  return await run().then(
    () => "passed",
    () => "failed",
  );
}
