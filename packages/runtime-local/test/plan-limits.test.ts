import type { RunLimits } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { enforcedLimits, type LimitMeans, measuredLimits, planLimits } from "../src/limits/plan-limits.js";

const MEBIBYTE = 1024 * 1024;
const COMMAND = { runId: "r", command: "", cwd: ".", env: {}, timeoutMs: 1, maxOutputBytes: 0 };
const UNLIMITED = Number.POSITIVE_INFINITY;
const GROUPS = { limits: ["memoryBytes", "processes", "cpu"] as const, open: () => expect.unreachable() };

/** An isolated machine without control groups. */
const MEANS: LimitMeans = {
  groups: undefined,
  perProcess: true,
  countsProcesses: true,
  isolated: true,
  hard: { processes: UNLIMITED, openFiles: UNLIMITED, fileBytes: UNLIMITED },
  defaults: {},
};

const plan = (limits: RunLimits, means: Partial<LimitMeans> = {}, bestEffort = false) =>
  planLimits({ ...COMMAND, limits, bestEffort }, { ...MEANS, ...means });
const codesOf = (...wanted: Parameters<typeof plan>) => plan(...wanted).diagnostics.map(({ code }) => code);

describe("the limits that a machine enforces", () => {
  const watched = ["diskBytes", "inodes"];
  const each = ["openFiles", "fileBytes"];

  test.each<[string, Partial<LimitMeans>, string[]]>([
    ["limits of each process", {}, ["processes", ...each, ...watched]],
    ["no count of a sandbox's processes", { countsProcesses: false }, [...each, ...watched]],
    ["control groups", { groups: GROUPS }, ["memoryBytes", "cpu", "processes", ...each, ...watched]],
    ["control groups only", { groups: GROUPS, perProcess: false }, [...GROUPS.limits, "inodes"]],
    ["no isolation", { isolated: false }, ["processes", ...each]],
    ["isolation only", { perProcess: false }, ["inodes"]],
    ["nothing", { perProcess: false, isolated: false }, []],
  ])("with %s", (_, means, expected) => {
    expect([...enforcedLimits({ ...MEANS, ...means })].sort()).toEqual([...expected].sort());
  });

  test.each<[string, Partial<LimitMeans>, (keyof RunLimits)[]]>([
    ["a sandbox", {}, ["diskBytes", "inodes"]],
    ["control groups", { groups: GROUPS }, ["diskBytes", "inodes"]],
    ["isolation only", { perProcess: false }, ["inodes"]],
    ["no sandbox", { isolated: false }, []],
  ])("are exact with %s but for %o", (_, means, expected) => {
    expect(measuredLimits({ ...MEANS, ...means })).toEqual(expected);
  });

  test("are named where another one is refused", () => {
    expect(() => plan({ cpu: 1 })).toThrow("It enforces processes, openFiles, fileBytes, diskBytes, inodes.");
    const nothing = { perProcess: false, isolated: false };
    expect(() => plan({ cpu: 1 }, nothing)).toThrow("It enforces none.");
  });
});

describe("the value of a limit", () => {
  test.each([0, -1, 1.5, Number.NaN, UNLIMITED])("of processes is not %d", (processes) => {
    expect(() => plan({ processes })).toThrow(
      `The limit processes is ${processes}; it must be a whole number above 0.`,
    );
  });

  test.each([0, -1, Number.NaN, UNLIMITED])("of cpu is not %d", (cpu) => {
    expect(() => plan({ cpu }, { groups: GROUPS })).toThrow(
      `The limit cpu is ${cpu}; it must be a number of cores above 0.`,
    );
  });

  test("of cpu may be a part of a core", () => {
    expect(plan({ cpu: 0.5 }, { groups: GROUPS }).group).toEqual({ cpu: 0.5 });
  });
});

describe("the plan of a run", () => {
  test("without limits and defaults limits nothing but core dumps", () => {
    expect(plan({})).toEqual({
      inForce: {},
      group: {},
      each: ["core=0"],
      watched: {},
      isLenient: true,
      watchesDefaults: true,
      diagnostics: [],
    });
  });

  test("has each limit where it is enforced", () => {
    const limits = { memoryBytes: 4 * MEBIBYTE, processes: 4, openFiles: 5, fileBytes: 6 };
    expect(plan(limits, { groups: GROUPS })).toMatchObject({
      group: { memoryBytes: 4 * MEBIBYTE, processes: 4 },
      each: ["core=0", "nofile=5", "fsize=6"],
      watched: {},
    });
    const own = plan({ processes: 4, openFiles: 5 });
    expect([own.group, own.each, own.processes]).toEqual([{}, ["core=0", "nproc=5", "nofile=5"], 4]);
  });

  test("limits a single file to what the whole workspace may hold", () => {
    const small = { name: "diskBytes", bytes: MEBIBYTE };
    expect(plan({ diskBytes: MEBIBYTE })).toMatchObject({
      each: ["core=0", `fsize=${MEBIBYTE}`],
      watched: { diskBytes: MEBIBYTE },
      file: small,
    });
    expect(plan({ diskBytes: MEBIBYTE, fileBytes: 2 * MEBIBYTE }).file).toEqual(small);
    expect(plan({ diskBytes: MEBIBYTE, fileBytes: 9 })).toMatchObject({
      each: ["core=0", "fsize=9"],
      file: { name: "fileBytes", bytes: 9 },
    });
    expect(plan({ diskBytes: MEBIBYTE }, { perProcess: false }, true).each).toEqual(["core=0"]);
  });

  test("tells of no file limit that the machine's own one is below", () => {
    const hard = { ...MEANS.hard, fileBytes: 9 };
    expect(plan({ fileBytes: 9 }, { hard }).file).toEqual({ name: "fileBytes", bytes: 9 });
    expect(plan({ fileBytes: 10 }, { hard })).toMatchObject({ each: ["core=0", "fsize=9"], file: undefined });
  });

  test("knows which watched limits the caller asked for", () => {
    const told = (limits: RunLimits) => {
      const { isLenient, watchesDefaults, watched } = plan(limits, { defaults: { diskBytes: 8, inodes: 9 } });
      return [isLenient, watchesDefaults, watched];
    };
    expect(told({})).toEqual([true, true, { diskBytes: 8, inodes: 9 }]);
    expect(told({ inodes: 5 })).toEqual([true, false, { diskBytes: 8, inodes: 5 }]);
    expect(told({ diskBytes: 5 })).toEqual([false, false, { diskBytes: 5, inodes: 9 }]);
  });

  test("has the defaults that the machine enforces, without a word about them", () => {
    const defaults = { memoryBytes: MEBIBYTE, processes: 7, cpu: 1, inodes: 9, diskBytes: undefined };
    expect(plan({ openFiles: 5 }, { defaults })).toMatchObject({
      group: {},
      each: ["core=0", "nproc=8", "nofile=5"],
      watched: { inodes: 9 },
      diagnostics: [],
    });
  });
});

describe("a limit that a machine has no means for", () => {
  test("is refused with its name, and with best effort told", () => {
    const nothing = { perProcess: false, isolated: false };
    for (const limit of ["memoryBytes", "cpu", "processes", "openFiles", "fileBytes"] as const) {
      expect(() => plan({ [limit]: 5 }, nothing)).toThrow(`cannot enforce the limit ${limit} `);
      expect(codesOf({ [limit]: 5 }, nothing, true)).toEqual(["limit.not-enforced"]);
      expect(plan({ [limit]: 5 }, nothing, true).each).toEqual(["core=0"]);
    }
  });

  test("holds for each process by itself where that is memory", () => {
    expect(plan({ memoryBytes: MEBIBYTE }, {}, true)).toMatchObject({
      each: ["core=0", `data=${MEBIBYTE}`],
      diagnostics: [{ code: "limit.per-process" }],
    });
  });

  test("is watched where it is about the disk, with what that leaves open", () => {
    const message = (means: Partial<LimitMeans>) =>
      plan({ diskBytes: 5 }, means, true).diagnostics[0]?.message;
    expect(message({ perProcess: false })).toContain("a single file could exceed it");
    expect(message({ isolated: false })).toContain("the command could also write outside its workspace");
    expect(plan({ inodes: 5 }, { isolated: false }, true)).toMatchObject({
      watched: { inodes: 5 },
      diagnostics: [{ code: "limit.watched" }],
    });
    expect(codesOf({ inodes: 5, diskBytes: 5 })).toEqual(["limit.best-effort", "limit.best-effort"]);
  });
});
