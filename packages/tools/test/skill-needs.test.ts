import type { WorkspaceRun } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { caller, refusalOf, session, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

/** A skill with these needs, in real workspaces, and the commands that were really run in them. */
async function setUp(openclaw: object) {
  const header = `metadata: ${JSON.stringify({ openclaw })}\n`;
  const own = memoryRepository({ skills: { needy: { "SKILL.md": skillFile("needy", header) } } });
  const skills = skillBox({ own });
  const real = await realWorkspaces(skills);
  const runs: WorkspaceRun[] = [];
  const workspaces: typeof real = {
    ...real,
    run(id, run, options) {
      runs.push(run);
      return real.run(id, run, options);
    },
  };
  const call = caller(skillTools({ skills, workspaces }));
  const run = (fields: object = {}) =>
    call("skill_run", { skill: "needy", command: "echo ran > out/ran; cat out/ran", ...fields });
  const made = async () => (await real.files((await real.forSession(session)).id, "out")).length;
  return { run, runs, made, own };
}

const ran = expect.objectContaining({ exit_code: 0, stdout: "ran\n" });

describe("a skill's declared needs", () => {
  test("are checked where commands run, once", async () => {
    const { run, runs } = await setUp({ requires: { bins: ["sh", "cat"], anyBins: ["none-such", "ls"] } });
    expect((await run()).output).toEqual(ran);
    expect((await run()).output).toEqual(ran);
    expect(runs).toHaveLength(3);
  });

  test("are not looked for where the skill declares other things only", async () => {
    const { run, runs } = await setUp({ emoji: "x" });
    expect((await run()).output).toEqual(ran);
    expect(runs).toHaveLength(1);
  });

  test("needs that cannot be checked are reported, and the command runs", async () => {
    const header = `metadata: ${JSON.stringify({ openclaw: { requires: { bins: ["sh"] } } })}\n`;
    const skills = skillBox({
      own: memoryRepository({ skills: { needy: { "SKILL.md": skillFile("needy", header) } } }),
    });
    const { workspaces, runs } = recordingWorkspaces();
    const { isError, output } = await caller(skillTools({ skills, workspaces }))("skill_run", {
      skill: "needy",
      command: "ls",
    });
    expect([isError, runs.map(({ command }) => command).at(-1)]).toEqual([false, "ls"]);
    expect(JSON.stringify(output)).toContain('The needs of the skill \\"needy\\" (sh) could not be checked');
  });

  test("that are missing are all named at once with the remedy, and nothing runs", async () => {
    const { run, made } = await setUp({
      requires: { bins: ["sh", "no-such-a", "no-such-b"], anyBins: ["x1", "x2"], env: ["API_KEY"] },
    });
    expect(refusalOf(await run())).toEqual({
      code: "UNSUPPORTED",
      message:
        'The skill "needy" cannot be used here, so nothing ran: commands here do not have the program "no-such-a" and ' +
        '"no-such-b"; commands here have none of the programs "x1" or "x2", one of which is needed; the environment variable ' +
        '"API_KEY" is not set. Give the variable in env, or ask the user for its value. Tell the user what must be ' +
        "installed where commands run; `skillwright doctor` shows what is available.",
      retry: true,
    });
    expect(await made()).toBe(0);
  });

  test("are checked again after they were missing", async () => {
    const { run, runs } = await setUp({ requires: { env: ["API_KEY"] } });
    expect(refusalOf(await run()).message).toContain('"API_KEY" is not set');
    expect((await run({ env: { API_KEY: "x" } })).output).toEqual(ran);
    expect((await run({ env: { API_KEY: "y" } })).output).toEqual(ran);
    expect(runs).toHaveLength(4);
    expect(refusalOf(await run()).message).toContain('"API_KEY" is not set');
  });

  test("are checked again after the skill changed", async () => {
    const { run, own } = await setUp({ requires: { bins: ["sh"] } });
    expect((await run()).output).toEqual(ran);
    const header = `metadata: ${JSON.stringify({ openclaw: { requires: { bins: ["no-such"] } } })}\n`;
    await own.upload([{ path: "SKILL.md", content: skillFile("needy", header) }]);
    expect(refusalOf(await run())).toMatchObject({ code: "UNSUPPORTED", retry: false });
  });

  test("may be another operating system", async () => {
    const { run } = await setUp({ os: ["win32"] });
    expect(refusalOf(await run()).message).toMatch(/made for win32, and commands run on \w+ here/);
    const { run: runHere } = await setUp({ os: [process.platform] });
    expect((await runHere()).output).toEqual(ran);
  });

  test("are not checked for a skill with always", async () => {
    const { run, runs } = await setUp({ always: true, requires: { bins: ["no-such"] } });
    expect((await run()).output).toEqual(ran);
    expect(runs).toHaveLength(1);
  });

  test.each(["a;touch out/ran", "$(touch out/ran)", "-x", "a\ntouch out/ran"])(
    "are never run as a command: %j",
    async (name) => {
      const { run, made } = await setUp({ requires: { bins: [name], env: [name] } });
      expect(refusalOf(await run()).code).toBe("UNSUPPORTED");
      expect(await made()).toBe(0);
    },
  );
});
