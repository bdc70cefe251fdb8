import { SKILL_STATE_KEYS } from "@skillwright/core";
import { memoryArtifacts } from "@skillwright/repository-memory";
import { type SkillToolsOptions, skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, exampleCatalog, refusalOf, session } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

interface RunOutput {
  stdout: string;
  stderr: string;
  exit_code: number;
  timed_out: boolean;
  output_files: { name: string; content?: string; unchanged?: boolean }[];
  artifact_files: { name: string; version: number }[];
  primary_output?: string;
  warnings?: string[];
}

async function setUp(options: Partial<SkillToolsOptions> & { artifacts?: "none" } = {}) {
  const skills = exampleCatalog();
  const artifacts = memoryArtifacts();
  const workspaces = await realWorkspaces(skills, options.artifacts === "none" ? {} : { artifacts });
  const call = caller(skillTools({ skills, workspaces, ...options }));
  /** `skill_run` of the greeter with these fields. */
  async function run(command: string, fields: object = {}): Promise<RunOutput> {
    const result = await call("skill_run", { skill: "greeter", command, ...fields });
    if (result.isError) throw new Error(JSON.stringify(result.output));
    return result.output as unknown as RunOutput;
  }
  return { workspaces, artifacts, call, run };
}

describe("skill_run", () => {
  test("runs on an uploaded file, inlines and saves its outputs, and reports the isolation", async () => {
    const { workspaces, artifacts, call } = await setUp();
    const { id } = await workspaces.forSession(session);
    await workspaces.upload(id, "name.txt", "Ada");
    const result = await call("skill_run", {
      skill: "greeter",
      command: "sh scripts/greet.sh inputs/name.txt > out/greeting.txt",
      outputs: { globs: ["out/**"], inline: true, save: true },
    });
    expect(result.output).toEqual({
      stdout: "",
      stderr: "",
      exit_code: 0,
      timed_out: false,
      duration_ms: expect.any(Number),
      output_files: [
        { name: "out/greeting.txt", content: "Hello, Ada\n", mime_type: "text/plain", size_bytes: 11 },
      ],
      primary_output: "out/greeting.txt",
      artifact_files: [{ name: "out/greeting.txt", version: 0 }],
      isolation: expect.stringMatching(/^(none|namespace) \(.+\)$/),
      cwd: "skills/greeter",
    });
    expect(result.artifacts).toMatchObject([{ name: "out/greeting.txt", version: 0 }]);
    expect(await artifacts.list(session)).toHaveLength(1);
    expect(result.stateDelta).toEqual({});
  });

  test("a failing command is a result: its output is kept, empty files it left are not (FILE-13)", async () => {
    const { run } = await setUp();
    const output = await run("echo part > out/kept.txt; cat missing > out/empty.txt; exit 3", {
      outputs: { globs: ["out/**"], inline: true },
    });
    expect(output).toMatchObject({ exit_code: 3, timed_out: false, output_files: [{ content: "part\n" }] });
    expect(output.stderr).toContain("missing");
    expect(output.warnings?.join()).toContain("out/empty.txt is empty and the command failed");
  });

  test("a timeout is a result too, with the output until then", async () => {
    const { run } = await setUp();
    const output = await run("echo before; sleep 60", { timeout: 0.5 });
    expect(output).toMatchObject({ timed_out: true, exit_code: 137, stdout: "before\n" });
  });

  test("stdin, env and cwd reach the command (RUN-03)", async () => {
    const { run } = await setUp();
    const fields = { stdin: "hello", env: { WHO: "Ada" }, cwd: "$WORK_DIR" };
    const output = await run('cat; printf " %s %s" "$WHO" "$(basename "$PWD")"', fields);
    expect(output.stdout).toBe("hello Ada work");
    expect(output).toMatchObject({ cwd: "work" });
  });

  test("a stream beyond 16 KiB keeps beginning and end, with a note (OUT-06)", async () => {
    const { run } = await setUp();
    const output = await run("echo first; head -c 20000 /dev/zero | tr '\\0' x; echo; echo last");
    expect(output.stdout.length).toBeLessThan(16 * 1024 + 100);
    expect(output.stdout).toMatch(/^first\n[\s\S]*bytes left out[\s\S]*\nlast\n$/);
    expect(output.stderr).toBe("");
    expect(output.warnings).toEqual([expect.stringMatching(/^stdout has 20012 bytes; only its beginning/)]);
  });
});

describe("the outputs of a run", () => {
  test("are named, not inlined, where none were declared, and only once", async () => {
    const { run } = await setUp();
    const first = await run("echo a > out/a.txt");
    expect(first.output_files).toEqual([{ name: "out/a.txt", mime_type: "text/plain", size_bytes: 2 }]);
    expect(first).not.toHaveProperty("primary_output");
    const second = await run("true");
    expect(second.output_files).toEqual([]);
    expect(second).not.toHaveProperty("warnings");
  });

  test("are listed as unchanged, without content, where a later run did not touch them", async () => {
    const { run } = await setUp();
    const outputs = { globs: ["out/**"], inline: true, save: true };
    await run("echo a > out/a.txt", { outputs });
    const { output_files, artifact_files } = await run("echo b > out/b.txt", { outputs });
    expect(output_files).toEqual([
      { name: "out/a.txt", mime_type: "text/plain", size_bytes: 2, unchanged: true },
      { name: "out/b.txt", content: "b\n", mime_type: "text/plain", size_bytes: 2 },
    ]);
    expect(artifact_files).toEqual([{ name: "out/b.txt", version: 0 }]);
  });

  test("are listed with name and size also without inline and save (FILE-11)", async () => {
    const { run } = await setUp();
    const { output_files } = await run("echo a > out/a.txt", { outputs: { globs: ["$OUTPUT_DIR/*.txt"] } });
    expect(output_files).toEqual([{ name: "out/a.txt", mime_type: "text/plain", size_bytes: 2 }]);
  });

  test("include the first text file by name as the primary output; blank and binary ones do not count (FILE-12)", async () => {
    const { run } = await setUp();
    const outputs = { globs: ["out/**"], inline: true };
    const both = await run("echo b > out/b.txt; echo a > out/a.txt; echo > out/Blank.txt", { outputs });
    expect(both.primary_output).toBe("out/a.txt");
    const none = await run("rm out/*; printf '\\0' > out/a.bin; echo > out/a.txt", { outputs });
    expect(none).not.toHaveProperty("primary_output");
    expect(none.output_files.find(({ name }) => name === "out/a.bin")).not.toHaveProperty("content");
  });

  test("have no primary output of more than 32 KiB", async () => {
    const { run } = await setUp();
    const outputs = { globs: ["out/**"], inline: true };
    const text = (bytes: number, path: string) => `head -c ${bytes} /dev/zero | tr '\\0' a > ${path}`;
    const { primary_output } = await run(`${text(32_769, "out/a.txt")}; ${text(32_768, "out/b.txt")}`, {
      outputs,
    });
    expect(primary_output).toBe("out/b.txt");
  });

  test("are cut at the limits, which are named like the fields (FILE-07)", async () => {
    const { run } = await setUp();
    const output = await run("for n in 1 2 3; do echo $n > out/$n.txt; done", {
      outputs: { globs: ["out/**"], max_files: 1 },
    });
    expect(output.output_files).toHaveLength(1);
    expect(output.warnings?.join()).toMatch(/limit of 1 files is reached.*raise max_files\./);
  });

  test("include their text with output_files, and are saved under the prefix (FILE-17)", async () => {
    const { run } = await setUp();
    const fields = { output_files: ["out/*.txt"], save_as_artifacts: true, artifact_prefix: "pref/" };
    const first = await run("echo a > out/a.txt", fields);
    expect(first).toMatchObject({
      output_files: [{ name: "out/a.txt", content: "a\n" }],
      artifact_files: [{ name: "pref/out/a.txt", version: 0 }],
    });
    const second = await run("echo b > out/a.txt", { ...fields, omit_inline_content: true });
    expect(second.output_files).toEqual([{ name: "out/a.txt", mime_type: "text/plain", size_bytes: 2 }]);
    expect(second.artifact_files).toEqual([{ name: "pref/out/a.txt", version: 1 }]);
  });

  test("follow outputs where output_files is given too, with a warning (TOOL-09)", async () => {
    const { run } = await setUp();
    const output = await run("echo a > out/a.txt; echo b > out/b.md", {
      output_files: ["out/a.txt"],
      outputs: { globs: ["out/*.md"], inline: true },
    });
    expect(output.output_files.map(({ name }) => name)).toEqual(["out/b.md"]);
    expect(output.warnings).toEqual([expect.stringContaining("output_files (out/a.txt) was ignored")]);
  });

  test("are kept with a warning where they should be saved and there is no artifact store (FILE-14)", async () => {
    const { run } = await setUp({ artifacts: "none" });
    const output = await run("echo a > out/a.txt", { output_files: ["out/*"], save_as_artifacts: true });
    expect(output).toMatchObject({ output_files: [{ content: "a\n" }], artifact_files: [] });
    expect(output.warnings?.join()).toContain("no artifact store");
  });

  test("default to out/** where saving is requested without globs", async () => {
    const { run } = await setUp();
    const { artifact_files } = await run("echo a > out/a.txt", { save_as_artifacts: true });
    expect(artifact_files).toEqual([{ name: "out/a.txt", version: 0 }]);
  });
});

describe("runs that are refused", () => {
  test("an unknown skill creates no workspace (RUN-02)", async () => {
    const { workspaces, call } = await setUp();
    const result = await call("skill_run", { skill: "greter", command: "ls" });
    expect(refusalOf(result)).toMatchObject({ code: "SKILL_NOT_FOUND", retry: true });
    expect(await workspaces.list()).toEqual([]);
  });

  test("with requireLoad a skill must be loaded in this session first (TOOL-04)", async () => {
    const { workspaces, call } = await setUp({ requireLoad: true });
    const input = { skill: "greeter", command: "echo ran" };
    expect(refusalOf(await call("skill_run", input))).toEqual({
      code: "REFUSED",
      message: 'Load the skill first: call skill_load with "greeter".',
      retry: true,
    });
    expect(await workspaces.list()).toEqual([]);
    const state = { [SKILL_STATE_KEYS.loaded("greeter")]: "1" };
    expect((await call("skill_run", input, callContext({ state }))).output).toMatchObject({
      stdout: "ran\n",
    });
  });

  test.each<[object, string]>([
    [{ cwd: "/etc" }, "PATH_OUTSIDE"],
    [{ inputs: [{ from: "http://x/y" }] }, "INPUT_INVALID"],
    [{ inputs: [{ from: "workspace://work/none.txt" }] }, "FILE_NOT_FOUND"],
    [{ env: { LD_PRELOAD: "x" } }, "INPUT_INVALID"],
  ])("%j is refused before the start", async (fields, code) => {
    const { workspaces, call } = await setUp();
    const result = await call("skill_run", { skill: "greeter", command: "echo x > out/ran", ...fields });
    expect(refusalOf(result).code).toBe(code);
    const { id } = await workspaces.forSession(session);
    expect(await workspaces.files(id, "out")).toEqual([]);
  });

  test("an aborted call is a refusal that does not suggest a retry", async () => {
    const { call } = await setUp();
    const context = callContext({ signal: AbortSignal.abort() });
    const refusal = refusalOf(await call("skill_run", { skill: "greeter", command: "ls" }, context));
    expect(refusal).toMatchObject({ code: "ABORTED", retry: false });
  });
});
