import type { JsonObject } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { report } from "../src/planner/report.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

describe("bad input gets an answer that says what happened, what was expected and what to do", () => {
  test.each([
    [
      "an unknown skill",
      "skill_run",
      { skill: "shuot", command: "ls" },
      /There is no skill "shuot"[\s\S]*shout/,
    ],
    ["an unknown tool", "skill_fly", {}, /There is no tool "skill_fly"[\s\S]*skill_run/],
    ["a field that does not fit", "skill_run", { skill: "shout", command: { run: "ls" } }, /command/],
    [
      "a path outside the workspace",
      "workspace_read",
      { path: "../../etc/passwd" },
      /PATH_OUTSIDE[\s\S]*"\.\."/,
    ],
    [
      "a file that is not there",
      "workspace_read",
      { path: "out/none.md" },
      /FILE_NOT_FOUND[\s\S]*out\/none\.md/,
    ],
    [
      "a directory outside",
      "skill_run",
      { ...run("true", {}), cwd: "../../.." },
      /PATH_OUTSIDE|leaves|outside/,
    ],
  ])("%s", async (_, tool, input, expected) => {
    const { text, isError } = await answerTo(tool, input);
    expect(isError).toBe(true);
    expect(text).toMatch(expected);
  });

  test("a glob that leaves the workspace is named in a warning, and the command ran", async () => {
    const { output } = await answerTo("skill_run", run("echo ran", { globs: ["../*", "out/**"] }));
    expect(output).toMatchObject({ exit_code: 0, stdout: "ran\n" });
    expect(JSON.stringify(output["warnings"])).toContain("../*");
  });

  test("a missing command fails with 127 and the shell's message", async () => {
    const { output } = await answerTo("skill_run", run("no-such-program --now", {}));
    expect(output).toMatchObject({ exit_code: 127, stderr: expect.stringContaining("no-such-program") });
  });

  test("an endless command is stopped; its output so far is kept", async () => {
    const command = "echo half > out/half.txt; echo started; sleep 600";
    const { output } = await answerTo("skill_run", {
      ...run(command, { globs: ["out/**"], inline: true }),
      timeout: 1,
    });
    expect(output).toMatchObject({ timed_out: true, stdout: "started\n" });
    expect(output["output_files"]).toEqual([
      expect.objectContaining({ name: "out/half.txt", content: "half\n" }),
    ]);
    expect(report(output)).toMatch(/timed out and was stopped after \d+ ms[\s\S]*out\/half\.txt/);
  });

  test("a file over the limit is named with the limit and not saved; the others are", async () => {
    const outputs = { globs: ["out/**"], save: true, max_file_bytes: 100 };
    const command = "head -c 5000 /dev/zero | tr '\\0' x > out/big.txt; echo ok > out/small.txt";
    const { output } = await answerTo("skill_run", run(command, outputs));
    expect(output["artifact_files"]).toEqual([{ name: "out/small.txt", version: 0 }]);
    expect(JSON.stringify(output["warnings"])).toMatch(/out\/big\.txt[\s\S]*100/);
    expect(report(output)).toMatch(/Note: [\s\S]*out\/big\.txt/);
  });
});

function run(command: string, outputs: JsonObject): JsonObject {
  return { skill: "shout", command, ...("globs" in outputs ? { outputs } : {}) };
}

async function answerTo(
  tool: string,
  input: JsonObject,
): Promise<{ output: JsonObject; text: string; isError: boolean }> {
  const { model } = scriptedModel([{ calls: [{ tool, input }] }, { text: "seen" }]);
  const agent = await testAgent({ model, skills: { shout: SHOUT } });
  const { events } = await agent.chat("go");
  const response = events.find((event) => event.type === "tool.response");
  if (!response) throw new Error("There was no response.");
  return {
    output: response.output as JsonObject,
    text: JSON.stringify(response.output).replaceAll('\\"', '"'),
    isError: response.isError,
  };
}
