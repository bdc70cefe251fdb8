import { readlink } from "node:fs/promises";
import { Secret, SkillError } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { DEMO, SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);
const PROGRAM = (says: string) => ({ content: `#!/bin/sh\necho ${says}\n`, executable: true });

/** A skill with programs in `.venv/bin` and `bin`, one of them named like one of the machine's. */
async function withPrograms() {
  const repository = memoryRepository({ leaveOut: [] });
  await repository.upload([
    { path: "SKILL.md", content: DEMO["SKILL.md"] },
    { path: "scripts/hello.sh", content: DEMO["scripts/hello.sh"] },
    { path: ".venv/bin/tool", ...PROGRAM("venv") },
    { path: ".venv/bin/python", ...PROGRAM("python") },
    { path: "bin/tool", ...PROGRAM("bin") },
    { path: "bin/own-tool", ...PROGRAM("own") },
    { path: "bin/cat", ...PROGRAM("false-cat") },
  ]);
  return { skills: skillBox({ own: repository }) };
}

describe.each(await testIsolations())("programs and variables of a run, isolation %s", (isolation) => {
  test("ENV-11: the skill's virtual environment precedes the machine's programs, which precede its bin", async () => {
    await using fixture = await workspaceFixture(isolation, await withPrograms());
    const { id } = await fixture.workspaces.forSession(SESSION);
    const command = 'tool; own-tool; echo real | cat; test "$VIRTUAL_ENV" = "$SKILL_DIR/.venv" && echo set';
    const { stdout, stderr } = await fixture.workspaces.run(id, { skill: "demo", command });
    expect([stdout.text, stderr.text]).toEqual(["venv\nown\nreal\nset\n", ""]);
  });

  test("VIRTUAL_ENV is not set where the environment has no executable python", async () => {
    const repository = memoryRepository({ leaveOut: [] });
    await repository.upload([
      { path: "SKILL.md", content: DEMO["SKILL.md"] },
      { path: ".venv/bin/tool", ...PROGRAM("venv") },
      { path: ".venv/bin/python", content: "no program" },
    ]);
    await using fixture = await workspaceFixture(isolation, { skills: skillBox({ own: repository }) });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const command = `tool; echo "\${VIRTUAL_ENV-none}"`;
    const { stdout } = await fixture.workspaces.run(id, { skill: "demo", command });
    expect(stdout.text).toBe("venv\nnone\n");
  });

  test("a virtual environment whose python does not run here is not used, and the result says so each time", async () => {
    const repository = memoryRepository({ leaveOut: [] });
    await repository.upload([
      { path: "SKILL.md", content: DEMO["SKILL.md"] },
      { path: ".venv/bin/tool", ...PROGRAM("venv") },
      { path: ".venv/bin/cat", ...PROGRAM("false-cat") },
      { path: ".venv/bin/python", content: "#!/no/such/interpreter\n", executable: true },
    ]);
    await using fixture = await workspaceFixture(isolation, { skills: skillBox({ own: repository }) });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const command = `tool; echo "\${VIRTUAL_ENV-none}" | cat; ls "$WORKSPACE_DIR/runs" | wc -l`;
    for (const runs of [1, 2]) {
      const { stdout, diagnostics } = await fixture.workspaces.run(id, { skill: "demo", command });
      expect(stdout.text.replaceAll(" ", "")).toBe(`venv\nnone\n${runs}\n`);
      expect(diagnostics.filter(({ code }) => code === "run.venv-not-used")).toHaveLength(1);
    }
  });

  test("ENV-12: the same bare command is found from another directory", async () => {
    await using fixture = await workspaceFixture(isolation, await withPrograms());
    const { id } = await fixture.workspaces.forSession(SESSION);
    const run = { skill: "demo", command: "tool; own-tool" };
    for (const cwd of ["scripts", "$WORK_DIR", "/"])
      expect((await fixture.workspaces.run(id, { ...run, cwd })).stdout.text).toBe("venv\nown\n");
  });

  test("ENV-13: a VIRTUAL_ENV or PATH of the caller is kept unchanged", async () => {
    await using fixture = await workspaceFixture(isolation, await withPrograms());
    const { id } = await fixture.workspaces.forSession(SESSION);
    const env = { VIRTUAL_ENV: "/mine", PATH: "/usr/bin:/bin" };
    const run = { skill: "demo", command: 'echo "$VIRTUAL_ENV $PATH"', env };
    expect((await fixture.workspaces.run(id, run)).stdout.text).toBe("/mine /usr/bin:/bin\n");
  });

  test("a skill without programs of its own changes neither PATH nor VIRTUAL_ENV", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const command = `echo "\${VIRTUAL_ENV-none} $PATH"`;
    const [plain, skilled] = [{ command }, { command, skill: "demo" }].map((run) =>
      fixture.workspaces.run(id, run),
    );
    expect((await skilled)?.stdout.text).toBe((await plain)?.stdout.text);
  });

  test("ENV-14: editorText reaches a program that opens an editor", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const editorText = "a message\nwith 'quotes' and €\n";
    const command =
      'sh -c "$EDITOR +3 out/message.txt"; cmp out/message.txt - && test "$EDITOR" = "$VISUAL" && echo same';
    const { stdout } = await fixture.workspaces.run(id, {
      skill: "demo",
      command,
      editorText,
      stdin: editorText,
    });
    expect(stdout.text).toBe("same\n");
    const { stdout: after } = await fixture.workspaces.run(id, { command: `echo "\${EDITOR-none}"` });
    expect(after.text).toBe("none\n");
  });

  test.each(["EDITOR", "VISUAL"])("ENV-14: editorText with %s in env is refused", async (name) => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const run = { command: "true", editorText: "x", env: { [name]: "vi" } };
    await expect(fixture.workspaces.run(id, run)).rejects.toThrow(withCode("INPUT_INVALID"));
  });

  test("ENV-15, ENV-16: the call's variables override the application's, bad ones are left out and reported", async () => {
    const given = {
      TOKEN: new Secret("t0ken-of-ours"),
      REGION: "eu",
      LD_PRELOAD: "/x.so",
      "1BAD": "x",
      BLANK: "  ",
      WORK_DIR: "/tmp",
    };
    const asked: string[] = [];
    await using fixture = await workspaceFixture(isolation, {
      environment: ({ name, source }) => {
        asked.push(`${source}/${name}`);
        return given;
      },
    });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const command = `echo "$(printf %s "$TOKEN" | wc -c) $REGION \${BLANK-none} \${LD_PRELOAD-none}"`;
    const result = await fixture.workspaces.run(id, { skill: "demo", command, env: { REGION: "us" } });
    expect(result.stdout.text).toBe("13 us none none\n");
    const told = result.diagnostics.filter(({ code }) => code === "environment.left-out");
    expect(told.map(({ message }) => /"(\w+)"/.exec(message)?.[1]).sort()).toEqual([
      "1BAD",
      "BLANK",
      "LD_PRELOAD",
      "WORK_DIR",
    ]);
    expect(JSON.stringify(result)).not.toContain("t0ken-of-ours");
    await fixture.workspaces.run(id, { command: 'test -z "$REGION"' });
    expect(asked).toEqual(["own/demo"]);
  });

  test("the network is refused where the application did not allow it, with the remedy", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const run = fixture.workspaces.run(id, { command: "true", network: true });
    await expect(run).rejects.toThrow(withCode("REFUSED"));
    await expect(run).rejects.toThrow(/allowNetwork/);
  });

  test("the network is on for a run that asks for it, where the application allows it", async () => {
    await using fixture = await workspaceFixture(isolation, { allowNetwork: true });
    const { id } = await fixture.workspaces.forSession(SESSION);
    // Not the number of interfaces, which changes where other containers are started.
    const networkOf = async (network?: boolean) => {
      const run = { command: "readlink /proc/self/ns/net", ...(network === undefined ? {} : { network }) };
      return (await fixture.workspaces.run(id, run)).stdout.text.trim();
    };
    const [host, withNetwork, without] = [
      await readlink("/proc/self/ns/net"),
      await networkOf(true),
      await networkOf(),
    ];
    expect(withNetwork).toBe(host);
    if (isolation === "sandbox") {
      expect(without).toMatch(/^net:\[\d+\]$/);
      expect(without).not.toBe(host);
    } else await expect(networkOf(false)).rejects.toThrow(withCode("UNSUPPORTED"));
  });

  test("limits are passed to the runtime, the run's own before the application's", async () => {
    await using fixture = await workspaceFixture(isolation, { limits: { openFiles: 64 } });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const { limits } = await fixture.workspaces.capabilities();
    const run = { command: "ulimit -n" };
    if (limits.includes("openFiles")) {
      expect((await fixture.workspaces.run(id, run)).stdout.text).toBe("64\n");
      const own = await fixture.workspaces.run(id, { ...run, limits: { openFiles: 32 } });
      expect(own.stdout.text).toBe("32\n");
    } else {
      await expect(fixture.workspaces.run(id, run)).rejects.toThrow(withCode("UNSUPPORTED"));
      const anyway = await fixture.workspaces.run(id, { ...run, bestEffort: true });
      expect(anyway.diagnostics.map(({ message }) => message).join()).toContain("openFiles");
    }
  });
});
