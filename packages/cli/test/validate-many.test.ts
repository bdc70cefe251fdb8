import { expect, test } from "vitest";
import { inOrder } from "../src/validate/in-order.js";
import { cliFixture, skill } from "./cli-fixture.js";

const DESCRIPTION = "Reads tables. Use it when a table has to be read.";

function many(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `s${String(index).padStart(5, "0")}`);
  return Object.fromEntries(
    names.map((name) => [`project/skills/${name}/SKILL.md`, skill(name, DESCRIPTION)]),
  );
}

const bad = { "project/skills/s00100/SKILL.md": skill("Bad", DESCRIPTION) };
const ERASE = "\r\u001b[2K";

test.each([80, 0])(
  "progress over hundreds of skills is shown on a terminal of %i columns, and leaves no trace",
  async (columns) => {
    const { cli } = await cliFixture({ ...many(250), ...bad });
    const written: string[] = [];
    const stderr = { write: (text: string) => written.push(text), isTTY: true, columns };
    const { code, out } = await cli(["validate"], { stderr });
    expect(code).toBe(1);
    expect(written[0]).toContain("1 of 250 skills, 0 errors");
    expect(written.at(-1)).toBe(ERASE);
    expect(out).toMatch(/^skills\/s00100\/SKILL\.md\n[\s\S]*✘ 1 of 250 skills not valid/);
    expect(out).not.toContain("\r");
  },
);

test("the progress is removed before a finding is printed on the same terminal", async () => {
  const { cli } = await cliFixture({ ...many(250), ...bad });
  const screen: string[] = [];
  const stream = { write: (text: string) => screen.push(text), isTTY: true, columns: 80 };
  await cli(["validate", "--no-lint"], { stdout: stream, stderr: stream });
  const finding = screen.findIndex((text) => text.includes("s00100/SKILL.md"));
  const progress = screen.slice(0, finding).findLastIndex((text) => text.includes(" of 250 skills"));
  expect(progress).toBeGreaterThan(-1);
  expect(screen.slice(progress + 1, finding)).toContain(ERASE);
});

test.each([
  ["in a pipe", 250, false, {}],
  ["on a dumb terminal", 250, true, { TERM: "dumb" }],
  ["for a few skills", 3, true, { TERM: "xterm" }],
])("there is no progress %s", async (_, count, isTTY, env) => {
  const { cli } = await cliFixture(many(count));
  const written: string[] = [];
  await cli(["validate"], { stderr: { write: (text) => written.push(text), isTTY }, env });
  expect(written).toEqual([]);
});

test("skills are reported in the order of their paths, whichever is checked first", async () => {
  const fixture = Object.fromEntries(
    Object.entries(many(40)).map(([path], index) => [
      path,
      skill("Bad", "x", "y".repeat((40 - index) * 9000)),
    ]),
  );
  const { cli } = await cliFixture(fixture);
  const { out } = await cli(["validate"]);
  const told = out.split("\n").filter((line) => line.endsWith("SKILL.md"));
  expect(told).toHaveLength(40);
  expect(told).toEqual(told.toSorted());
});

test("no more skills than the limit are in progress or waiting to be printed", async () => {
  let open = 0;
  let most = 0;
  const work = async (ms: number) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return ms;
  };
  const results: number[] = [];
  for await (const result of inOrder([9, 1, 5, 1, 1, 7, 0, 2], 3, work)) {
    results.push(result);
    open--;
  }
  expect(results).toEqual([9, 1, 5, 1, 1, 7, 0, 2]);
  expect(most).toBe(3);
});

test("a failure is reported in its place", async () => {
  const results: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error("two");
    return item;
  };
  const read = async () => {
    for await (const result of inOrder([1, 2, 3], 3, work)) results.push(result);
  };
  await expect(read()).rejects.toThrow("two");
  expect(results).toEqual([1]);
});

test("an interrupt exits with 130", async () => {
  const { cli } = await cliFixture(many(300));
  const interrupt = new AbortController();
  const stdout = { write: () => interrupt.abort() };
  const { code } = await cli(["validate", "--format", "json"], { stdout, signal: interrupt.signal });
  expect(code).toBe(130);
});
