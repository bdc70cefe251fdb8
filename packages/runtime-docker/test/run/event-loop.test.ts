import { expect, test } from "vitest";
import { threadTime } from "../../../../test/timing/thread-time.js";
import { engines } from "../engine-setup/engines.js";
import { printed, runPlace, runText } from "./run-place.js";

const GIBIBYTE = 1024 ** 3;

test.for(await engines(["docker"]))(
  "CONC-05: 20 concurrent runs in a process of 1 GiB let other work run within 250 ms ($name)",
  async ({ host, image }) => {
    const place = await runPlace({ engine: { host }, image });
    try {
      await printed(place, "true");
      const held = Array.from({ length: 16 }, () => Buffer.alloc(GIBIBYTE / 16, 1));
      let longest = 0;
      let lastMs = threadTime();
      const ticker = setInterval(() => {
        longest = Math.max(longest, threadTime() - lastMs);
        lastMs = threadTime();
      }, 10);
      const results = await Promise.all(Array.from({ length: 20 }, () => runText(place, "echo ok")));
      clearInterval(ticker);
      expect(held.length).toBe(16);
      expect(results.map(({ stdout, treeEnded }) => [stdout.text, treeEnded])).toEqual(
        results.map(() => ["ok\n", true]),
      );
      expect(longest).toBeGreaterThan(0);
      expect(longest).toBeLessThan(250);
    } finally {
      await place.dispose();
    }
  },
);
