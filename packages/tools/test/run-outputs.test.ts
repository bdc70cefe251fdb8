import { memoryArtifacts } from "@skillwright/repository-memory";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { caller, exampleCatalog, refusalOf } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

async function setUp({ artifacts = true, saveOutputs }: { artifacts?: boolean; saveOutputs?: boolean } = {}) {
  const skills = exampleCatalog();
  const workspaces = await realWorkspaces(skills, artifacts ? { artifacts: memoryArtifacts() } : {});
  const call = caller(skillTools({ skills, workspaces, saveOutputs }));
  return {
    call,
    run: async (command: string, fields: object = {}) => {
      const result = await call("skill_run", { skill: "greeter", command, ...fields });
      if (result.isError) throw new Error(JSON.stringify(result.output));
      return result.output as {
        stdout: string;
        warnings?: string[];
        output_files: object[];
        artifact_files: object[];
      };
    },
  };
}

describe("outputs of skill_run", () => {
  test("default to out/**", async () => {
    const { run } = await setUp();
    const saved = await run("echo a > out/a.txt", { outputs: { save: true } });
    expect(saved.artifact_files).toEqual([{ name: "out/a.txt", version: 0 }]);
    const listed = await run("echo b > out/b.txt", { outputs: { globs: [], inline: true } });
    expect(listed.output_files).toContainEqual(
      expect.objectContaining({ name: "out/b.txt", content: "b\n" }),
    );
  });

  test("FILE-15: without their content keep name and size, and can be read by their reference", async () => {
    const { run } = await setUp();
    const fields = { output_files: ["out/*"], save_as_artifacts: true, omit_inline_content: true };
    const made = await run("echo content > out/a.txt", fields);
    expect(made).toMatchObject({
      output_files: [{ name: "out/a.txt", size_bytes: 8 }],
      artifact_files: [{ name: "out/a.txt", version: 0 }],
    });
    expect(made.output_files[0]).not.toHaveProperty("content");
    const inputs = [{ from: "artifact://out/a.txt@0", to: "inputs/again.txt" }];
    expect((await run("cat inputs/again.txt", { inputs })).stdout).toBe("content\n");
  });

  test("FILE-16: with saveOutputs are saved without a request, even where a call disables it", async () => {
    const { run } = await setUp({ saveOutputs: true });
    expect(await run("echo a > out/a.txt")).toMatchObject({
      output_files: [{ name: "out/a.txt" }],
      artifact_files: [{ name: "out/a.txt", version: 0 }],
    });
    const outputs = { globs: ["out/b.txt"], save: false };
    expect((await run("echo b > out/b.txt", { outputs })).artifact_files).toEqual([
      { name: "out/b.txt", version: 0 },
    ]);
    expect((await run("true")).artifact_files).toEqual([]);
  });

  test("FILE-16: saveOutputs without a store is a warning, and the files are named", async () => {
    const { run } = await setUp({ saveOutputs: true, artifacts: false });
    const output = await run("echo a > out/a.txt");
    expect(output).toMatchObject({ output_files: [{ name: "out/a.txt" }], artifact_files: [] });
    expect(output.warnings?.join()).toContain("no artifact store");
  });

  test.each(["", "/", "../x", "tmp/x", "skills/greeter/out/x"])(
    "FILE-19: %j as a glob saves nothing from outside out/, work/ and runs/",
    async (glob) => {
      const { run } = await setUp();
      const output = await run("echo a > work/a.txt", { outputs: { globs: [glob], save: true } });
      expect(output.artifact_files).toEqual([]);
      expect(output.warnings?.length).toBeGreaterThan(0);
    },
  );
});

describe("the remedies of a failed run", () => {
  test("a timeout names the field and its limit", async () => {
    const { run } = await setUp();
    const { warnings } = await run("sleep 60", { timeout: 0.3 });
    expect(warnings?.join()).toMatch(
      /timed out after [\d.]+ seconds.*larger timeout \(at most 600 seconds\)/,
    );
  });

  test("a missing program and a file that is not executable are distinguished", async () => {
    const { run } = await setUp();
    expect((await run("no-such-program")).warnings?.join()).toContain(
      "A program of the command was not found",
    );
    expect((await run("./scripts/greet.sh")).warnings?.join()).toMatch(/cannot be executed.*interpreter/);
  });

  test("a command without the network is told that trying again does not help", async () => {
    const { run, call } = await setUp();
    const command = "echo 'curl: (6) Could not resolve host: example.org' >&2; exit 6";
    const output = (await run(command)) as { warnings?: string[]; isolation?: string };
    if (output.isolation?.startsWith("none")) expect(output.warnings).toBeUndefined();
    else expect(output.warnings?.join()).toMatch(/network, which is off.*Trying again does not help/);
    expect((await call("skill_run", { skill: "greeter", command: "exit 3" })).diagnostics).not.toContainEqual(
      expect.objectContaining({ code: "run.no-network" }),
    );
  });

  test("missing outputs are reported with the existing ones", async () => {
    const { run } = await setUp();
    const { warnings } = await run("echo a > out/b.txt", { output_files: ["output/*.txt"] });
    expect(warnings?.join()).toMatch(/"output\/\*\.txt" matches no file.*There are/);
  });

  test("an unknown skill is answered with the existing names", async () => {
    const { call } = await setUp();
    const { message } = refusalOf(await call("skill_run", { skill: "greter", command: "ls" }));
    expect(message).toMatch(/no skill "greter"\. Did you mean "greeter"\?/);
  });

  test("ENV-14: editor_text reaches the editor, and excludes EDITOR in env", async () => {
    const { run, call } = await setUp();
    const command = 'sh -c "$EDITOR out/m.txt" && cat out/m.txt';
    expect((await run(command, { editor_text: "typed" })).stdout).toBe("typed");
    const both = await call("skill_run", {
      skill: "greeter",
      command,
      editor_text: "typed",
      env: { EDITOR: "vi" },
    });
    expect(refusalOf(both)).toMatchObject({ code: "INPUT_INVALID", retry: true });
  });
});
