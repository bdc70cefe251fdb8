import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { threadTime } from "../../../test/timing/thread-time.js";
import { localSubject } from "./local-subject.js";
import { printed, runText } from "./running.js";

const GIBIBYTE = 1024 ** 3;

for (const isolation of hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const))
  test(`CONC-05: 20 concurrent runs in a process of 1 GiB block its thread for less than 250 ms at a time (${isolation})`, async () => {
    const { runtime, dispose } = await localSubject(isolation);
    const workspace = await runtime.create("w1");
    await printed(workspace, "true");
    const held = Array.from({ length: 16 }, () => Buffer.alloc(GIBIBYTE / 16, 1));
    let longest = 0;
    let last = threadTime();
    const ticker = setInterval(() => {
      longest = Math.max(longest, threadTime() - last);
      last = threadTime();
    }, 10);
    const results = await Promise.all(Array.from({ length: 20 }, () => runText(workspace, "echo ok")));
    clearInterval(ticker);
    expect(held.length).toBe(16);
    expect(results.map(({ stdout }) => stdout.text)).toEqual(Array(20).fill("ok\n"));
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(250);
    await dispose();
  });
