import { recordRegistry } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test, vi } from "vitest";
import {
  destroy,
  destroyWhenIdle,
  idleFor,
  largerThan,
  moreThan,
  olderThan,
  policy,
  type WorkspacePolicy,
  workspaceManager,
} from "../src/index.js";
import { busyBeat } from "../src/lifecycle/busy-beat.js";
import { nextLookMs } from "../src/policy/next-look.js";
import type { PolicyCandidate } from "../src/policy/policy-candidates.js";
import { sightings } from "../src/policy/sightings.js";
import { wakeTimer } from "../src/policy/wake-timer.js";
import { HOUR_MS, handClock, START_MS } from "./hand-clock.js";
import { SESSION, textOf, workspaceFixture } from "./workspace-fixture.js";

const at = (ms: number) => new Map([["a", new Date(ms).toISOString()]]);

test("the time of day is used at the first sight", () => {
  const clock = handClock();
  expect(
    sightings(clock)
      .look(at(START_MS - HOUR_MS))
      .get("a"),
  ).toBe(HOUR_MS);
  expect(
    sightings(clock)
      .look(at(START_MS + HOUR_MS))
      .get("a"),
  ).toBe(0);
});

test.each([365 * 24 * HOUR_MS, -365 * 24 * HOUR_MS])("a clock set by %d ms makes nothing older", (jump) => {
  const clock = handClock();
  const { look } = sightings(clock);
  look(at(START_MS));
  clock.pass(60_000);
  clock.wallMs += jump;
  expect(look(at(START_MS)).get("a")).toBe(60_000);
  // Used in between, before the clock was set: that cannot be longer ago than the look before.
  clock.pass(5000);
  expect(look(at(START_MS + 61_000)).get("a")).toBeLessThanOrEqual(5000);
});

test("a used workspace is young again, and a removed one is forgotten", () => {
  const clock = handClock();
  const { look } = sightings(clock);
  look(at(START_MS));
  clock.pass(60_000);
  expect(look(at(START_MS + 58_000)).get("a")).toBe(2000);
  expect(look(new Map()).size).toBe(0);
  clock.pass(1000);
  expect(look(at(START_MS + 60_500)).get("a")).toBe(500);
});

test("neither setting the clock nor suspending the machine reaps anything; elapsed time does", async () => {
  const clock = handClock();
  const policies = [destroyWhenIdle("1h"), policy({ when: olderThan("7d"), do: destroy() })];
  await using fixture = await workspaceFixture("none", {
    clock,
    policies,
    registry: recordRegistry(memoryRecords()),
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.sweep();
  clock.wallMs += 365 * 24 * HOUR_MS;
  await fixture.workspaces.sweep();
  expect(await fixture.runtime.list()).toEqual([id]);
  clock.pass(HOUR_MS);
  await fixture.workspaces.sweep();
  expect(await fixture.runtime.list()).toEqual([]);
});

const candidate = (idleMs: number, ageMs: number, isBusy = false): PolicyCandidate => ({
  id: "a",
  info: { id: "a", createdAt: "" },
  idleMs,
  ageMs,
  isBusy,
  useMark: "",
});

test("the next look is when the first condition on time can apply, and no later than its whole time", () => {
  const look = (policies: WorkspacePolicy[], candidates: PolicyCandidate[], done: WorkspacePolicy[] = []) =>
    nextLookMs(policies, candidates, { isDone: (one) => done.includes(one), lookEveryMs: 7 });
  const idle = policy({ when: idleFor(1000), do: destroy() });
  const old = policy({ when: olderThan(2000), do: destroy() });
  expect(look([], [candidate(1, 1)])).toBe(Number.POSITIVE_INFINITY);
  expect(look([idle], [])).toBe(1000);
  expect(look([idle], [candidate(300, 1900)])).toBe(700);
  expect(look([old], [candidate(300, 1500), candidate(0, 100)])).toBe(500);
  expect(look([old, idle], [candidate(300, 1500)])).toBe(500);
  expect(look([idle], [candidate(300, 0, true)])).toBe(1000);
  expect(look([idle], [candidate(300, 0)], [idle])).toBe(1000);
  // An action that is due and failed is tried again after a tenth of the time.
  expect(look([idle], [candidate(5000, 5000)])).toBe(100);
  for (const when of [() => true, largerThan(1), moreThan(1)])
    expect(look([idle, policy({ when, do: destroy() })], [candidate(0, 0)])).toBe(7);
});

test("older workspaces are destroyed, however busy they were", async () => {
  const clock = handClock();
  const policies = [policy({ when: olderThan("1h"), do: destroy() })];
  await using fixture = await workspaceFixture("none", { clock, policies });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.sweep();
  clock.pass(HOUR_MS - 1);
  await fixture.workspaces.files(id);
  await fixture.workspaces.sweep();
  expect(await fixture.runtime.list()).toEqual([id]);
  await fixture.workspaces.files(id);
  clock.pass(1);
  await fixture.workspaces.sweep();
  expect(await fixture.runtime.list()).toEqual([]);
});

test("a function is called back once after each use, with all available data", async () => {
  const heard: string[] = [];
  const clock = handClock();
  await using fixture = await workspaceFixture("none", {
    clock,
    policies: [
      policy({
        when: idleFor("1h"),
        do: async ({ id, session: owner, idleMs, bytes, download, files }) => {
          const names = (await files()).map(({ path }) => path);
          heard.push(`${id} ${owner?.session} ${idleMs >= HOUR_MS} ${await bytes()} ${names.join()}`);
          expect(await textOf(await download("work/a"))).toBe("12345");
        },
      }),
    ],
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  await fixture.workspaces.write(id, "work/a", "12345");
  await fixture.workspaces.sweep();
  expect(heard).toEqual([]);
  clock.pass(HOUR_MS);
  await fixture.workspaces.sweep();
  expect(heard).toEqual([`${id} s1 true 5 work/a`]);
  await fixture.workspaces.sweep();
  expect(heard).toHaveLength(1);
  await fixture.workspaces.files(id);
  await fixture.workspaces.sweep();
  expect(heard).toHaveLength(1);
  clock.pass(HOUR_MS);
  await fixture.workspaces.sweep();
  expect(heard).toHaveLength(2);
});

test("a condition of months does not fire at once, as a timer with that delay would", async () => {
  await using fixture = await workspaceFixture("none", { policies: [destroyWhenIdle("60d")] });
  // Without a shared registry each applies its policies only to its own workspaces.
  const { registry: _, ...runtime } = fixture.runtime;
  await using quick = workspaceManager({
    skills: fixture.skills,
    runtime,
    policies: [destroyWhenIdle("30ms")],
  });
  const { id } = await fixture.workspaces.forSession(SESSION);
  const { id: other } = await quick.create();
  await vi.waitFor(async () => expect(await fixture.runtime.list()).not.toContain(other), {
    timeout: 180_000,
  });
  expect(await fixture.runtime.list()).toEqual([id]);
});

test("a workspace is marked as used every five seconds while a call in it is running", async () => {
  vi.useFakeTimers();
  try {
    const touched: string[] = [];
    const beat = busyBeat(async (id) => void touched.push(id));
    for (const id of ["a", "a", "b"]) beat.begin(id);
    await vi.advanceTimersByTimeAsync(5000);
    expect(touched.splice(0)).toEqual(["a", "b"]);
    for (const id of ["a", "b"]) beat.end(id);
    await vi.advanceTimersByTimeAsync(5000);
    expect(touched.splice(0)).toEqual(["a"]);
    beat.end("a");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(touched).toEqual([]);
    beat.begin("c");
    await vi.advanceTimersByTimeAsync(5000);
    expect(touched).toEqual(["c"]);
    beat.end("c");
  } finally {
    vi.useRealTimers();
  }
});

test("a timer waits at most as long as timers can, and fires once per setting", async () => {
  vi.useFakeTimers();
  try {
    let wakings = 0;
    const timer = wakeTimer(() => void wakings++);
    timer.set(Number.POSITIVE_INFINITY);
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
    expect(wakings).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(wakings).toBe(1);
    timer.set(50);
    timer.set(100);
    await vi.advanceTimersByTimeAsync(1000);
    expect(wakings).toBe(2);
    timer.stop();
    timer.set(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(wakings).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
