import { expect, test } from "vitest";
import { pathDiagnostic } from "../../src/adapter.js";
import { parseSkill, validateSkill } from "../../src/index.js";

/** Characters as a header may contain them: raw, and as YAML escapes. */
const RAW = "\u001b[31m\u202e\u200b\u{e0041}";
const ESCAPED = "\\e[31m\\u202e\\u200b\\U000E0041";
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u;

const HEADERS = {
  "a name": `name: "a${ESCAPED}"\ndescription: x`,
  "an unknown field": `name: demo\ndescription: x\n"f${ESCAPED}": 1`,
  "a field of a wrong form": `name: demo\ndescription: x\nlicense: ["${ESCAPED}"]\nuser-invocable: "${ESCAPED}"\nallowed-tools: {"${ESCAPED}": 1}`,
  "a duplicate key": `name: demo\ndescription: x\n"k${ESCAPED}": 1\n"k${ESCAPED}": 2`,
  "an unknown tag": `name: demo\ndescription: !<${RAW}> x`,
  "an unknown alias": `name: demo\ndescription: *a${RAW}`,
  "raw characters": `name: demo${RAW}\ndescription: x ${RAW}\n${RAW}: y`,
  parameters: `name: demo\ndescription: x\nparameters: {"${ESCAPED}": {type: "${ESCAPED}"}}\nexecutable: {entry: "${ESCAPED}", runtime: "${ESCAPED}"}`,
};

test.each(Object.entries(HEADERS))("diagnostics about %s are safe to show", (_, header) => {
  const text = `---\n${header}\n---\nBody\n`;
  const options = { directoryName: "demo" };
  const found = [
    ...parseSkill(text, options).diagnostics,
    ...(["spec", "client", "portable"] as const).flatMap((profile) =>
      validateSkill(text, { ...options, profile }),
    ),
  ];
  expect(found.length).toBeGreaterThan(0);
  for (const { code, message, hint, path = "" } of found)
    expect([code, message, hint, path].join("|")).not.toMatch(UNSAFE);
});

test("a diagnostic about a file shows its path safely, on one line", () => {
  const { message, path } = pathDiagnostic("a.b", ["info", "Left out.", "Rename it."], `a\n${RAW}`);
  expect([message, path].join("|")).not.toMatch(UNSAFE);
  expect(path).toBe("a\\u{a}\\u{1b}[31m\\u{202e}\\u{200b}\\u{e0041}");
});

test("a diagnostic of parseSkill cannot be changed for the next caller", () => {
  const read = () => parseSkill("no header", { directoryName: "demo" }).diagnostics[0];
  const before = { ...read() };
  expect(() => Object.assign(read() ?? {}, { message: "changed" })).toThrow(TypeError);
  expect(read()).toEqual(before);
});
