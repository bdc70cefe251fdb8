import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { caller, exampleCatalog, refusalOf } from "./example-skills.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

const skills = exampleCatalog();

async function refused(tool: string, input: unknown): Promise<string> {
  const { workspaces, runs } = recordingWorkspaces();
  const refusal = refusalOf(await caller(skillTools({ skills, workspaces }))(tool, input));
  expect(refusal).toMatchObject({ code: "INPUT_INVALID", retry: true });
  expect(runs).toEqual([]);
  return refusal.message;
}

async function accepted(input: unknown) {
  const { workspaces, runs } = recordingWorkspaces();
  const result = await caller(skillTools({ skills, workspaces }))("skill_run", input);
  expect(result.output).not.toHaveProperty("error");
  return { run: runs[0], diagnostics: result.diagnostics };
}

describe("refused input", () => {
  test.each([{}, { skill: " " }, { command: "" }, { skill: "greeter" }, { skill: null, command: "\n" }])(
    "%j gets one error that says both are required (TOOL-01)",
    async (input) => {
      expect(await refused("skill_run", input)).toMatch(
        /^"skill" and "command" are both required and must not be blank\. Missing: [^.]+\.$/,
      );
    },
  );

  test.each(['{"skill": "greeter"', "greeter", "[]", 7, true, ["greeter"]])(
    "%j is not a JSON object (TOOL-02)",
    async (input) => {
      expect(await refused("skill_load", input)).toMatch(/^Invalid arguments: /);
    },
  );

  test("a name that a schema would leave out is refused, at any depth (TOOL-02)", async () => {
    for (const text of ['{"env": {"__proto__": "x"}}', '{"__proto__": {"skill": "greeter"}}'])
      expect(await refused("skill_run", text)).toMatch(/`__proto__` cannot be used/);
    expect(await refused("skill_run", JSON.parse('{"env": {"__proto__": "x"}}'))).toMatch(/`__proto__`/);
  });

  test("an unknown field is named with the valid ones", async () => {
    expect(await refused("skill_load", { skill: "greeter", documents: [] })).toBe(
      'Unknown field "documents". Valid: skill, docs, include_all_docs.',
    );
    const inner = { skill: "greeter", command: "ls", outputs: { globs: ["out/**"], glob: "x" } };
    expect(await refused("skill_run", inner)).toBe(
      'Unknown field "glob" in "outputs". Valid: globs, inline, save, name_template, max_files, max_file_bytes, max_total_bytes.',
    );
  });

  test.each<[object, RegExp]>([
    [
      { outputs: { globs: ["a"], max_files: 0 } },
      /"outputs\.max_files" is 0: .*Valid: Whole number from 1, default 100/,
    ],
    [{ outputs: { globs: ["a"], max_files: "many" } }, /"outputs\.max_files" is "many"/],
    [
      { inputs: [{ from: "artifact://a", mode: "move" }] },
      /"inputs\.0\.mode" is "move".*Valid: copy \(default\) or link/,
    ],
    [{ inputs: [{ to: "x" }] }, /"inputs\.0\.from" is nothing.*artifact:\/\/name/],
    [{ timeout: 601 }, /"timeout" is 601.*at most 600/],
    [{ timeout: -1 }, /"timeout" is -1/],
    [{ env: { A: ["b"] } }, /"env\.A" is \["b"\]/],
    [{ cwd: {} }, /"cwd" is \{\}/],
  ])("%j is refused by field, value and rule", async (fields, message) => {
    expect(await refused("skill_run", { skill: "greeter", command: "ls", ...fields })).toMatch(message);
  });
});

describe("PROC-09: a timeout", () => {
  const base = { skill: "greeter", command: "ls" };

  test.each([-1, 1e12, "NaN", "Infinity", "10s", true])("a timeout of %j is refused", async (timeout) => {
    expect(await refused("skill_run", { ...base, timeout })).toMatch(/"timeout" is .*at most 600/);
  });

  test.each([
    [0, undefined],
    [null, undefined],
    [undefined, undefined],
    // JSON has no such number and writes null.
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [1.5, 1500],
    [600, 600_000],
  ])("of %j is %j milliseconds, where nothing means the default", async (timeout, timeoutMs) => {
    expect((await accepted({ ...base, timeout })).run?.timeoutMs).toBe(timeoutMs);
  });
});

describe("repaired and reported input", () => {
  const base = { skill: "greeter", command: "ls" };

  test("JSON as text where an object or a list is expected", async () => {
    const { run, diagnostics } = await accepted({
      ...base,
      env: '{"A":"b"}',
      outputs: '{"globs":["out/*.md"],"save":true}',
      inputs: '[{"from":"artifact://a"}]',
    });
    expect(run).toMatchObject({
      env: { A: "b" },
      outputs: { globs: ["out/*.md"], save: true },
      inputs: [{ from: "artifact://a" }],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(3).fill("input.converted"));
  });

  test("all arguments as JSON text", async () => {
    expect((await accepted(JSON.stringify(base))).run).toMatchObject(base);
  });

  test("one value where a list is expected, and scalars as text", async () => {
    const { run } = await accepted({
      ...base,
      timeout: "30",
      env: { N: 5, B: true },
      inputs: { from: "artifact://a" },
      outputs: { globs: "out/**", save: "true", max_files: "3" },
    });
    expect(run).toMatchObject({
      timeoutMs: 30_000,
      env: { N: "5", B: "true" },
      inputs: [{ from: "artifact://a" }],
      outputs: { globs: ["out/**"], save: true, maxFiles: 3 },
    });
  });

  test("null for an optional field counts as absent, without a note", async () => {
    const nothing = { cwd: null, env: null, outputs: null, timeout: null, inputs: null, stdin: null };
    const { run, diagnostics } = await accepted({ ...base, ...nothing });
    expect(run?.cwd).toBeUndefined();
    expect(run?.env).toBeUndefined();
    expect(diagnostics).toEqual([]);
  });

  test("fields in another spelling, where the valid spelling wins (TOOL-08)", async () => {
    const outputs = {
      Globs: ["out/**"],
      MaxFiles: 1,
      max_files: 2,
      nameTemplate: "r/",
      "max-total-bytes": 9,
    };
    const { run, diagnostics } = await accepted({ ...base, outputs });
    expect(run?.outputs).toMatchObject({
      globs: ["out/**"],
      maxFiles: 2,
      nameTemplate: "r/",
      maxTotalBytes: 9,
    });
    expect(diagnostics[0]?.message).toContain('"MaxFiles" as "max_files"');
  });

  test("the caller's own object is not changed", async () => {
    const outputs = Object.freeze({ Globs: Object.freeze(["out/**"]) });
    const { run } = await accepted(Object.freeze({ ...base, outputs }));
    expect(run?.outputs?.globs).toEqual(["out/**"]);
    expect(outputs).toEqual({ Globs: ["out/**"] });
  });
});
