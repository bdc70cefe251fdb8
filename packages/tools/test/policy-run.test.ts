import { commandPolicy, skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { caller, exampleCatalog, refusalOf, session } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

const policy = commandPolicy({ allowed: ["printenv", "echo", "cat"] });

/** `skill_run` of the greeter over workspaces that only record calls. */
function recorded() {
  const parts = recordingWorkspaces();
  const call = caller(skillTools({ skills: exampleCatalog(), workspaces: parts.workspaces, policy }));
  return {
    ...parts,
    run: (command: string, env?: object) => call("skill_run", { skill: "greeter", command, env }),
  };
}

describe("skill_run with a command policy", () => {
  test("refuses an unlisted program and lists the allowed ones, and creates no workspace", async () => {
    const { run, runs, sessions } = recorded();
    expect(refusalOf(await run("ls | cat"))).toEqual({
      code: "REFUSED",
      message:
        'The command is not allowed: "ls" is not on the list of allowed programs. Allowed programs: printenv, echo, cat.',
      retry: true,
    });
    expect([runs, sessions]).toEqual([[], []]);
  });

  test.each(["PATH", "HOME", "EDITOR", "GIT_PAGER", "GIT_SSH_COMMAND"])(
    "refuses the variable %s, which affects the meaning of names (POLICY-08)",
    async (name) => {
      const { run, runs } = recorded();
      expect(refusalOf(await run("echo ok", { [name]: "work/bin" })).message).toContain(
        `The variable "${name}" cannot be set here`,
      );
      expect(runs).toEqual([]);
    },
  );

  test("allows other variables", async () => {
    const { run, runs } = recorded();
    await run("echo ok", { WHO: "Ada" });
    expect(runs).toMatchObject([{ env: { WHO: "Ada" } }]);
  });

  test("describes in the tool descriptions what may run, and leaves the others unchanged (POLICY-09)", () => {
    const { workspaces } = recordingWorkspaces();
    const tools = skillTools({ skills: exampleCatalog(), workspaces, policy });
    const told = tools.filter(({ description }) => description.includes(policy.summary ?? "none"));
    expect(told.map(({ name }) => name)).toEqual(["skill_run", "workspace_run"]);
  });
});

describe("a command that the policy allowed", () => {
  test.each(["BASH_ENV", "ENV", "LD_PRELOAD", "BASH_FUNC_echo%%", "PROMPT_COMMAND", "IFS"])(
    "does not run with %s (ENV-06, ENV-03, ENV-04)",
    async (name) => {
      const skills = exampleCatalog();
      const workspaces = await realWorkspaces(skills);
      const call = caller(skillTools({ skills, workspaces, policy }));
      const input = { skill: "greeter", command: "echo ok", env: { [name]: "() { echo hijacked; }" } };
      expect(refusalOf(await call("skill_run", input)).code).toBe("INPUT_INVALID");
    },
  );

  test("runs without start-up files of the shell (POLICY-10)", async () => {
    const skills = exampleCatalog();
    const workspaces = await realWorkspaces(skills);
    const { id } = await workspaces.forSession(session);
    for (const name of [".bash_profile", ".profile", ".bashrc"])
      await workspaces.write(id, `work/${name}`, "echo MARKER\n");
    const call = caller(skillTools({ skills, workspaces, policy }));
    const { output } = await call("skill_run", { skill: "greeter", command: "echo ok" });
    expect(output).toMatchObject({ exit_code: 0, stdout: "ok\n", stderr: "" });
  });
});
