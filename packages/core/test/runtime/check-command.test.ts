import { expect, test } from "vitest";
import { checkCommand, type RunCommand } from "../../src/adapter.js";
import { SkillError } from "../../src/index.js";

const COMMAND: RunCommand = {
  runId: "run-1",
  command: "true",
  cwd: ".",
  env: {},
  timeoutMs: 1000,
  maxOutputBytes: 1000,
};

function refusal(changes: Partial<RunCommand>): string | undefined {
  try {
    checkCommand({ ...COMMAND, ...changes });
    return undefined;
  } catch (error) {
    return SkillError.is(error) ? `${error.code} ${error.message}` : String(error);
  }
}

test.each<Partial<RunCommand>>([
  {},
  { runId: "R" },
  { runId: `_${"x".repeat(127)}` },
  { runId: "a.b-c_d" },
  { command: "x".repeat(128 * 1024 - 1) },
  { timeoutMs: 0.5 },
  { timeoutMs: 2 ** 31 - 1 },
  { maxOutputBytes: 0 },
])("accepts a command that a runtime can run: %#", (changes) => {
  expect(refusal(changes)).toBeUndefined();
});

test.each(["", ".a", "a/b", "../a", "a b", "é", "a\n", "x".repeat(129)])("refuses the run id %j", (runId) => {
  expect(refusal({ runId })).toMatch(/^INPUT_INVALID The run id .* must be 1 to 128 letters/);
});

test.each([0, -1, Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY])(
  "refuses a timeout of %d ms",
  (timeoutMs) => {
    expect(refusal({ timeoutMs })).toMatch(
      /^INPUT_INVALID The timeout .* more than 0 and at most 2147483647 ms/,
    );
  },
);

test.each([-1, 0.5, Number.NaN, 2 ** 53])("refuses an output limit of %d bytes", (maxOutputBytes) => {
  expect(refusal({ maxOutputBytes })).toMatch(
    /^INPUT_INVALID An output limit .* whole number of bytes from 0/,
  );
});

test("refuses a NUL character in a command, and a command longer than one argument can be, counted in bytes", () => {
  expect(refusal({ command: "echo a\0b" })).toMatch(/^INPUT_INVALID A command with a NUL character/);
  expect(refusal({ command: "x".repeat(128 * 1024) })).toMatch(
    /^LIMIT_EXCEEDED The command has 131072 bytes/,
  );
  expect(refusal({ command: "é".repeat(64 * 1024) })).toMatch(/^LIMIT_EXCEEDED The command has 131072 bytes/);
});
