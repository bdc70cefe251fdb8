import { randomBytes } from "node:crypto";
import type { ToolResult } from "@skillwright/core";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { dockerRuntime } from "@skillwright/runtime-docker";
import { skillTools } from "@skillwright/tools";
import { workspaceManager } from "@skillwright/workspace";
import { describe, expect, onTestFinished, test } from "vitest";
import { engines } from "../../runtime-docker/test/engine-setup/engines.js";
import { caller, exampleCatalog } from "./example-skills.js";

interface Answer {
  readonly run_id: string;
  readonly status: string;
  readonly output: string;
}

describe.each(await engines())("a started run in a container on $name", ({ host, image }) => {
  function setUp() {
    const skills = exampleCatalog();
    const namespace = `interactive-${randomBytes(6).toString("hex")}`;
    const runtime = dockerRuntime({ engine: { host }, image, pull: "never", namespace });
    const workspaces = workspaceManager({
      skills,
      runtime,
      artifacts: memoryArtifacts(),
      destroyOnClose: true,
    });
    onTestFinished(async () => {
      await workspaces.close();
      await runtime.close();
    });
    const call = caller(skillTools({ skills, workspaces, interactive: true }));
    return async (tool: string, input: object): Promise<Answer> => {
      const result: ToolResult = await call(tool, input);
      if (result.isError) throw new Error(JSON.stringify(result.output));
      return result.output as unknown as Answer;
    };
  }

  test("prompts, continues after input, and returns its outputs at its end", async () => {
    const answer = setUp();
    const command = "printf 'Name? '; read name; echo \"Hello, $name\" | tee out/hello.txt";
    const outputs = { globs: ["out/**"], inline: true };
    let last = await answer("skill_start", { skill: "greeter", command, outputs });
    const { run_id } = last;
    let said = last.output;
    const until = async (status: string) => {
      while (last.status !== status) {
        if (last.status === "exited") throw new Error("It has ended.");
        last = await answer("skill_poll", { run_id, wait: 5 });
        said += last.output;
      }
    };
    await until("waiting");
    expect(said).toBe("Name? ");
    last = await answer("skill_write", { run_id, text: "Ada" });
    said += last.output;
    await until("exited");
    expect(said).toBe("Name? Hello, Ada\n");
    expect(last).toMatchObject({
      exit_code: 0,
      output_files: [{ name: "out/hello.txt", content: "Hello, Ada\n" }],
    });
  });

  test("is ended by skill_stop, and its workspace keeps working", async () => {
    const answer = setUp();
    const { run_id } = await answer("skill_start", { skill: "greeter", command: "echo here; sleep 600" });
    expect(await answer("skill_stop", { run_id })).toMatchObject({ status: "exited" });
    const next = await answer("skill_run", {
      skill: "greeter",
      command: "ps | grep -c 'slee[p] 600'; echo ok",
    });
    expect(next).toMatchObject({ stdout: "0\nok\n" });
  });
});
