import { Secret, type SkillCatalog, SkillError } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { DEMO, type Fixture, SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);

async function inWorkspace(fixture: Fixture): Promise<Fixture & { id: string }> {
  return { ...fixture, id: (await fixture.workspaces.forSession(SESSION)).id };
}

describe.each(await testIsolations())("runs, isolation %s", (isolation) => {
  test("PATH-12: a command starts in its skill's directory, where SKILL.md's paths work", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const result = await workspaces.run(id, { skill: "demo", command: "sh scripts/hello.sh you" });
    expect(result).toMatchObject({ exitCode: 0, cwd: "skills/demo", workspaceId: id, outputs: [] });
    expect(result.stdout.text).toBe("hello you\n");
  });

  test("RUN-06: out, work and inputs resolve in the skill's directory", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    await workspaces.upload(id, "a.txt", "given");
    await workspaces.run(id, { skill: "demo", command: "cat inputs/a.txt > out/b.txt; echo w > work/c.txt" });
    expect((await workspaces.files(id)).map(({ path }) => path)).toEqual([
      "out/b.txt",
      "work/c.txt",
      "work/inputs/a.txt",
    ]);
  });

  test("ENV-10: the variables are set and point to existing paths", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const command =
      'for d in "$WORKSPACE_DIR" "$SKILLS_DIR" "$WORK_DIR" "$INPUTS_DIR" "$OUTPUT_DIR" "$RUN_DIR" "$SKILL_DIR"; ' +
      'do test -d "$d" || echo "missing $d"; done; echo "$SKILL_NAME"; test "$SKILL_DIR" -ef . && test "$CLAUDE_SKILL_DIR" = "$SKILL_DIR" && echo same';
    const { stdout } = await workspaces.run(id, { skill: "demo", command });
    expect(stdout.text).toBe("demo\nsame\n");
  });

  test("the caller's variables and secrets reach the command, the host's do not (ENV-01)", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    process.env["SKILLWRIGHT_TEST_CANARY"] = "host";
    const env = { A: "x\ny", TOKEN: new Secret("abc") };
    const { stdout } = await workspaces.run(id, {
      command: 'echo "$A/$(printf %s "$TOKEN" | wc -c)/$SKILLWRIGHT_TEST_CANARY"',
      env,
    });
    delete process.env["SKILLWRIGHT_TEST_CANARY"];
    expect(stdout.text).toBe("x\ny/3/\n");
  });

  test.each([
    ["PATH-14", "$WORK_DIR", "work"],
    ["PATH-16", "/", "."],
    ["PATH-13", "scripts", "skills/demo/scripts"],
    ["PATH-22", "$RUN_DIR", expect.stringMatching(/^runs\/run_/)],
    ["PATH-22", "$RUN_DIR/x", expect.stringMatching(/^runs\/run_.*\/x$/)],
    ["of the link inputs", "inputs", "work/inputs"],
  ])("%s: cwd %s is a real directory", async (_id, cwd, expected) => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const result = await workspaces.run(id, { skill: "demo", command: "pwd", cwd });
    expect(result).toMatchObject({ exitCode: 0, cwd: expected });
    expect(result.stdout.text.trim().endsWith(result.cwd === "." ? "" : `/${result.cwd}`)).toBe(true);
  });

  test("a missing directory is refused with a remedy", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const run = workspaces.run(id, { command: "pwd", cwd: "$WORK_DIR/none" });
    await expect(run).rejects.toThrow(/no directory work\/none.*leave cwd out/);
    await expect(run).rejects.toThrow(withCode("FILE_NOT_FOUND"));
  });

  test("RUN-02: an unknown skill is refused before anything is written", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    await expect(workspaces.run(id, { skill: "none", command: "true" })).rejects.toThrow(
      withCode("SKILL_NOT_FOUND"),
    );
    const handle = await fixture.runtime.attach(id);
    expect((await handle?.staged())?.size).toBe(0);
  });

  test("RUN-03, RUN-05: stdin reaches the command; an unknown program is a result with 127", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    expect((await workspaces.run(id, { command: "cat", stdin: "hello" })).stdout.text).toBe("hello");
    expect(await workspaces.run(id, { command: "no-such-program" })).toMatchObject({ exitCode: 127 });
  });

  test("RUN-04: a timeout is a result, and the workspace works afterwards", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const result = await workspaces.run(id, { command: "echo begun; sleep 60", timeoutMs: 1000 });
    expect(result).toMatchObject({ timedOut: true, exitCode: 137 });
    expect(result.stdout.text).toBe("begun\n");
    expect((await workspaces.run(id, { command: "echo ok" })).stdout.text).toBe("ok\n");
  });

  test("aborted while it runs: a result that says so; aborted while it waits: ABORTED, and the other runs continue", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const first = new AbortController();
    const second = new AbortController();
    const onEvent = ({ type }: { type: string }) => {
      if (type !== "run.output") return;
      second.abort();
      first.abort();
    };
    const outputs = { globs: ["out/*"], inline: true };
    const running = workspaces.run(
      id,
      { command: "echo made > out/a; echo up; sleep 60", outputs },
      { signal: first.signal, onEvent },
    );
    const waiting = workspaces.run(id, { command: "true" }, { signal: second.signal });
    await expect(waiting).rejects.toThrow(withCode("ABORTED"));
    const result = await running;
    expect(result).toMatchObject({ aborted: true, outputs: [{ path: "out/a", truncated: false }] });
    expect(result.diagnostics.map(({ code }) => code)).toContain("output.aborted");
  });

  test("runs in one workspace are serial, in their order", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const one = (name: string) =>
      workspaces.run(id, { command: `echo +${name} >> work/log; echo -${name} >> work/log` });
    await Promise.all(["a", "b", "c"].map(one));
    expect((await workspaces.run(id, { command: "cat work/log" })).stdout.text).toBe(
      "+a\n-a\n+b\n-b\n+c\n-c\n",
    );
  });

  test("events report the run live", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id, events, onEvent } = await inWorkspace(fixture);
    const run = {
      skill: "demo",
      command: "echo €; echo x > out/a.txt",
      outputs: { globs: ["out/*"], save: true },
    };
    const { runId } = await workspaces.run(id, run, { onEvent });
    expect(events).toMatchObject([
      { type: "skill.staged", skill: "demo", changed: true, files: 3 },
      { type: "run.started", runId, cwd: "skills/demo" },
      { type: "run.output", runId, stream: "stdout", text: "€\n" },
      { type: "run.ended", runId, exitCode: 0, timedOut: false },
      { type: "artifact.saved", name: "out/a.txt", version: 0, bytes: 2 },
      { type: "output.collected", path: "out/a.txt", bytes: 2, mimeType: "text/plain" },
    ]);
  });

  test("a listener that throws does not disturb the run, and is reported", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, id } = await inWorkspace(fixture);
    const onEvent = () => {
      throw new Error("listener");
    };
    const result = await workspaces.run(id, { command: "echo a" }, { onEvent });
    expect(result.diagnostics.filter(({ code }) => code === "event.listener-failed")).toHaveLength(1);
  });

  test("an unchanged skill is not read and not staged again; an edited one is (STAGE-01)", async () => {
    const repository = memoryRepository({ skills: { demo: DEMO } });
    const catalog = skillBox({ own: repository });
    const opened: string[] = [];
    const counting: SkillCatalog = {
      ...catalog,
      open: (name, path, options) => {
        opened.push(path);
        return catalog.open(name, path, options);
      },
      reader: async (name, options) => async (path) => await counting.open(name, path, options),
    };
    await using fixture = await workspaceFixture(isolation, { skills: counting });
    const { workspaces, id, events, onEvent } = await inWorkspace(fixture);
    const hello = { skill: "demo", command: "sh scripts/hello.sh you" };
    await workspaces.run(id, hello, { onEvent });
    expect(opened.splice(0).sort()).toEqual(Object.keys(DEMO).sort());
    await workspaces.run(id, hello, { onEvent });
    expect(opened).toEqual([]);

    await repository.upload(
      Object.entries({ ...DEMO, "scripts/hello.sh": "echo changed\n" }).map(([path, content]) => ({
        path,
        content,
      })),
    );
    expect((await workspaces.run(id, hello, { onEvent })).stdout.text).toBe("changed\n");
    expect(events.flatMap((event) => (event.type === "skill.staged" ? [event.changed] : []))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("a skill that brings its own out keeps it, with a diagnostic", async () => {
    const repository = memoryRepository({ skills: { demo: { ...DEMO, "out/sample.txt": "own\n" } } });
    await using fixture = await workspaceFixture(isolation, { skills: skillBox({ own: repository }) });
    const { workspaces, id } = await inWorkspace(fixture);
    const result = await workspaces.run(id, {
      skill: "demo",
      command: 'cat out/sample.txt; echo x > "$OUTPUT_DIR/y"',
    });
    expect(result.stdout.text).toBe("own\n");
    expect(result.diagnostics.map(({ code }) => code)).toContain("skill-link.kept");
    expect((await workspaces.files(id, "out")).map(({ path }) => path)).toEqual(["out/y"]);
  });
});
