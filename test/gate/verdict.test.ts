import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { countingStage } from "../../.ci/counting-stage.mjs";
import { gate, type Stage } from "../../.ci/gate.mjs";
import { vitestStage } from "../../.ci/vitest-stage.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";

const PASSES = `test("passes", () => {})`;
const FAILS = `test("fails", () => { throw new Error("planted fault"); })`;

test("a test that always fails makes the gate red", async () => {
  const { isGreen, lines } = await gateOf([
    planted({ "a.test.mjs": PASSES, "b.test.mjs": `${PASSES}; ${FAILS}` }),
  ]);
  expect([isGreen, lines.at(-1)]).toEqual([false, "2 passed, 1 failed"]);
  expect(lines.join("\n")).toContain("failed in planted: b.test.mjs > fails (failed)\nError: planted fault");
});

test("a file that fails the first time and then passes three times leaves the gate green, and its failure is shown in full", async () => {
  const stage = planted({ "a.test.mjs": PASSES, "b.test.mjs": `${PASSES}; ${failsIn("b", [1])}` });
  const { isGreen, lines } = await gateOf([stage]);
  expect([isGreen, lines.at(-1)]).toEqual([true, "3 passed, 0 failed"]);
  const told = lines
    .slice(lines.findIndex((line) => line.includes("unsteady in planted: b.test.mjs")))
    .join("\n");
  expect(told).toContain("Error: planted fault of run 1");
  expect(runsOf(stage, "b")).toBe(4);
});

test.each([2, 3, 4])("a file that fails again in run %i makes the gate red", async (run) => {
  const stage = planted({ "a.test.mjs": failsIn("a", [1, run]) });
  expect((await gateOf([stage])).isGreen).toBe(false);
  expect(runsOf(stage, "a")).toBe(run);
});

test("three unsteady files leave the gate green, and four make it red", async () => {
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`f${at}.test.mjs`, failsIn(`f${at}`, [1])] as const),
    );
  expect(await gateOf([planted(files(3))])).toMatchObject({ isGreen: true });
  const { isGreen, lines } = await gateOf([planted(files(4))]);
  expect([isGreen, lines.at(-1)]).toEqual([false, "4 passed, 1 failed"]);
});

test("unsteady files of all stages are counted together", async () => {
  const files = { "a.test.mjs": failsIn("a", [1]), "b.test.mjs": failsIn("b", [1]) };
  expect((await gateOf([planted(files), planted(files)])).isGreen).toBe(false);
});

test("a file that does not load makes the gate red", async () => {
  const { isGreen, lines } = await gateOf([
    planted({ "a.test.mjs": PASSES, "b.test.mjs": `throw new Error("does not load")` }),
  ]);
  expect([isGreen, lines.at(-1)]).toEqual([false, "1 passed, 1 failed"]);
});

test("a skipped test makes the gate red", async () => {
  const skipped = `${PASSES}; test("is skipped", ({ skip }) => skip())`;
  expect((await gateOf([planted({ "a.test.mjs": skipped })])).lines.at(-1)).toBe("1 passed, 1 failed");
});

test("an error outside of any test makes the gate red", async () => {
  const { isGreen, lines } = await gateOf([
    planted({
      "a.test.mjs": `test("leaves an error", () => void Promise.reject(new Error("nobody waits")))`,
    }),
  ]);
  expect([isGreen, lines.join("\n")]).toEqual([false, expect.stringContaining("nobody waits")]);
});

test("a lane that runs no test makes the gate red", async () => {
  expect(await gateOf([planted({ "a.test.mjs": PASSES }), planted({})])).toMatchObject({ isGreen: false });
});

test("a program that fails, or ends without its counts, makes the gate red; one that fails only once is unsteady", async () => {
  const counting = (text: string) => [{ name: "program", run: countingStage("sh", ["-c", text]) }];
  const folder = temporaryFolder();
  const once = `echo >> ${folder}/runs; [ $(wc -l < ${folder}/runs) != 1 ] && echo '2 passed, 0 failed' && exit; echo '✗ a check'; echo '1 passed, 1 failed'; exit 1`;
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

const folders = new WeakMap<Stage, string>();

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
  const stage = { name: "planted", run: vitestStage(["planted"], { place: { directory: folder, command } }) };
  folders.set(stage, folder);
  return stage;
}

/** The text of a test that fails in these runs of its file, counted from 1. */
function failsIn(name: string, runs: readonly number[]): string {
  return `
    import { appendFileSync, readFileSync } from "node:fs";
    test("fails at times", () => {
      appendFileSync("${name}.runs", "x");
      const run = readFileSync("${name}.runs", "utf8").length;
      if (${JSON.stringify(runs)}.includes(run)) throw new Error("planted fault of run " + run);
    });`;
}

function runsOf(stage: Stage, name: string): number {
  return readFileSync(join(folders.get(stage) ?? "", `${name}.runs`), "utf8").length;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-gate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function gateOf(stages: Stage[]): Promise<{ isGreen: boolean; lines: readonly string[] }> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const isGreen = await gate(stages);
    return { isGreen, lines: log.mock.calls.flatMap((call) => String(call[0]).split("\n")) };
  } finally {
    log.mockRestore();
  }
}
