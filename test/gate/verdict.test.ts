import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { countingStage } from "../../.ci/counting-stage.mjs";
import { gate, type Memory, type Stage } from "../../.ci/gate.mjs";
import { vitestStage } from "../../.ci/vitest-stage.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";

const PASSES = `test("passes", () => {})`;

test("in a real run a file that fails, does not load, skips a test or leaves an error makes the gate red, and others count", async () => {
  const { isGreen, lines } = await gateOf([
    planted({
      "a.test.mjs": PASSES,
      "b.test.mjs": `${PASSES}; test("fails", () => { throw new Error("planted fault"); })`,
      "c.test.mjs": `throw new Error("does not load")`,
      "d.test.mjs": `${PASSES}; test("is skipped", ({ skip }) => skip())`,
      "e.test.mjs": `test("leaves an error", () => void Promise.reject(new Error("nobody waits")))`,
    }),
  ]);
  expect([isGreen, lines.at(-1)]).toEqual([false, "4 passed, 4 failed"]);
  const told = lines.join("\n");
  expect(told).toContain("failed in planted: b.test.mjs > fails (failed)\nError: planted fault");
  for (const text of ["does not load", "d.test.mjs > is skipped (skipped)", "nobody waits"])
    expect(told).toContain(text);
});

test("in a real run a file that fails the first time and then passes three times leaves the gate green, and its failure is shown in full", async () => {
  const failsOnce = `
    import { appendFileSync, readFileSync } from "node:fs";
    test("fails once", () => {
      appendFileSync("runs", "x");
      if (readFileSync("runs", "utf8") === "x") throw new Error("planted fault of the first run");
    });`;
  const { isGreen, lines } = await gateOf([
    planted({ "a.test.mjs": PASSES, "b.test.mjs": `${PASSES}; ${failsOnce}` }),
  ]);
  expect([isGreen, lines.at(-1)]).toEqual([true, "3 passed, 0 failed"]);
  const told = lines
    .slice(lines.findIndex((line) => line.includes("unsteady in planted: b.test.mjs")))
    .join("\n");
  expect(told).toContain("Error: planted fault of the first run");
});

test("a lane that runs no test makes the gate red", async () => {
  expect(await gateOf([planted({})])).toMatchObject({ isGreen: false });
});

test.each([
  { fails: [1], isGreen: true, runs: 4 },
  { fails: [1, 2], isGreen: false, runs: 2 },
  { fails: [1, 3], isGreen: false, runs: 3 },
  { fails: [1, 4], isGreen: false, runs: 4 },
])(
  "a file that fails in runs $fails is run $runs times, and the gate is green: $isGreen",
  async ({ fails, ...expected }) => {
    const stage = failingIn(fails);
    const { isGreen } = await gateOf([stage]);
    expect({ isGreen, runs: stage.runs() }).toEqual(expected);
  },
);

test("a failed file counts as failed if no test ran when it was run again", async () => {
  const again = async () => ({ passed: 0, failed: 0 });
  const failures = [{ name: "a.test.ts", passed: 0, failed: 1, texts: ["fails"], again }];
  expect(await gateOf([{ name: "empty", run: async () => ({ passed: 1, failures }) }])).toMatchObject({
    isGreen: false,
  });
});

test("three unsteady files of all stages leave the gate green, and four make it red", async () => {
  const unsteady = (count: number) => Array.from({ length: count }, () => failingIn([1]));
  expect((await gateOf(unsteady(3))).isGreen).toBe(true);
  const { isGreen, lines } = await gateOf(unsteady(4));
  expect([isGreen, lines.at(-1)]).toEqual([false, "4 passed, 1 failed"]);
});

test("a stage that passed before is not run again, and its checks count; a stage that failed before or is marked to always run is run", async () => {
  const noted = new Map<string, number>();
  const memory = {
    before: (stage: string) => noted.get(stage),
    noteStage: (stage: string, passed: number) => void noted.set(stage, passed),
  };
  const calls: string[] = [];
  const stage = (name: string, failures: number, alwaysRuns = false): Stage => ({
    name,
    alwaysRuns,
    run: async () => {
      calls.push(name);
      const failed = { name, passed: 0, failed: 1, texts: ["fails"] };
      return { passed: 5, failures: Array.from({ length: failures }, () => failed) };
    },
  });
  await gateOf([stage("good", 0), stage("bad", 1), stage("prepares", 0, true)], memory);
  const { lines } = await gateOf([stage("good", 0), stage("bad", 0), stage("prepares", 0, true)], memory);
  expect(calls).toEqual(["good", "bad", "prepares", "bad", "prepares"]);
  expect(lines.find((line) => line.startsWith("good"))).toMatch(/5 +0 +0 +5 as before$/);
  expect(lines.at(-1)).toBe("15 passed, 0 failed");
});

test("a stage in the background runs beside the following stages until one that runs alone, and keeps its place in the table", async () => {
  const calls: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stage = (name: string, run: () => unknown = () => undefined): Stage => ({
    name,
    run: async () => {
      calls.push(`${name} begins`);
      await run();
      calls.push(`${name} ends`);
      return { passed: 1, failures: [] };
    },
  });
  const { lines } = await gateOf([
    { ...stage("long", () => ended), inBackground: true },
    stage("beside"),
    stage("last", end),
    { ...stage("speed"), alone: true },
  ]);
  const [before, after] = [calls.slice(0, 4), calls.slice(-2)];
  expect(before).toEqual(["long begins", "beside begins", "beside ends", "last begins"]);
  expect([...calls.slice(4, 6)].sort()).toEqual(["last ends", "long ends"]);
  expect(after).toEqual(["speed begins", "speed ends"]);
  const rows = lines.filter((line) => /^(long|beside|last|speed) /.test(line));
  expect(rows.map((line) => line.split(" ")[0])).toEqual(["long", "beside", "last", "speed"]);
  expect(lines.at(-1)).toBe("4 passed, 0 failed");
});

test("a program that fails, or ends without its counts, makes the gate red; one that fails only once is unsteady", async () => {
  const counting = (text: string) => [{ name: "program", run: countingStage("sh", ["-c", text]) }];
  const folder = temporaryFolder();
  const once = `echo >> "${folder}/runs"; [ $(wc -l < "${folder}/runs") != 1 ] && echo '2 passed, 0 failed' && exit; echo '✗ a check'; echo '1 passed, 1 failed'; exit 1`;
  const green = await gateOf(counting(once));
  expect([green.isGreen, green.lines.at(-1)]).toEqual([true, "2 passed, 0 failed"]);
  expect(green.lines.join("\n")).toContain("✗ a check");
  for (const text of [
    "echo 1 passed, 1 failed; exit 1",
    "echo 1 passed, 0 failed; exit 1",
    "echo 0 passed, 0 failed",
    "true",
  ])
    expect((await gateOf(counting(text))).isGreen, text).toBe(false);
});

/** A stage of an own Vitest with these test files. */
function planted(files: Readonly<Record<string, string>>): Stage {
  const folder = temporaryFolder();
  const reporters = ["default", `${root}/test/needs/results-reporter.ts`];
  const config = {
    test: {
      globals: true,
      maxWorkers: 1,
      reporters,
      projects: [{ extends: true, test: { name: "planted", include: ["*.test.mjs"] } }],
    },
  };
  writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)}`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const command = [process.execPath, `${root}/node_modules/vitest/vitest.mjs`, "run"];
  return {
    name: "planted",
    run: vitestStage(command, { again: ({ file }) => [...command, file], directory: folder }),
  };
}

/** A stage of one file, which fails in these of its runs, counted from 1. */
function failingIn(fails: readonly number[]): Stage & { runs(): number } {
  let runs = 0;
  const once = async () => (fails.includes(++runs) ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 });
  const run = async () => {
    const { passed, failed } = await once();
    return {
      passed,
      failures: failed > 0 ? [{ name: "a.test.ts", passed: 0, failed, texts: ["fails"], again: once }] : [],
    };
  };
  return { name: "in memory", run, runs: () => runs };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-gate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function gateOf(
  stages: Stage[],
  memory?: Memory,
): Promise<{ isGreen: boolean; lines: readonly string[] }> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const isGreen = await gate(stages, memory);
    return { isGreen, lines: log.mock.calls.flatMap((call) => String(call[0]).split("\n")) };
  } finally {
    log.mockRestore();
  }
}
