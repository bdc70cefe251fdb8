import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunLimits } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { leaveOut } from "../../../test/needs/has-all.js";
import { DEMO, SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const SAYS =
  "import os, sys; print(sys.prefix, sys.prefix != sys.base_prefix, os.environ.get('VIRTUAL_ENV'), sep='|')";
const PYTHON = "/usr/bin/python3";
const LARGE = { files: 5000, bytes: 256 * 1024 * 1024 };

/** A folder of skills whose only skill has a virtual environment, created by Python itself. */
function skillsIn(directory: string, ...options: string[]) {
  const skill = join(directory, "skills", "demo");
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, "SKILL.md"), DEMO["SKILL.md"]);
  execFileSync(PYTHON, ["-m", "venv", "--without-pip", ...options, join(skill, ".venv")]);
  const limits = { limits: LARGE, leaveOut: [] };
  return { skills: skillBox({ own: fsRepository({ root: join(directory, "skills"), ...limits }) }) };
}

if (!existsSync(PYTHON)) leaveOut("python3");
else
  describe.each(await testIsolations())("a real virtual environment, isolation %s", (isolation) => {
    test("one with its own copy of python is used, by name and by VIRTUAL_ENV", async () => {
      await using fixture = await workspaceFixture(isolation, (directory) => skillsIn(directory, "--copies"));
      const { id } = await fixture.workspaces.forSession(SESSION);
      const command = `python -c "${SAYS}"; test "$VIRTUAL_ENV" = "$SKILL_DIR/.venv" && echo set`;
      const { stdout, stderr, diagnostics } = await fixture.workspaces.run(id, { skill: "demo", command });
      const [said = "", last] = stdout.text.split("\n");
      const [prefix, isVirtual, variable] = said.split("|");
      expect([stderr.text, prefix, isVirtual, last]).toEqual(["", variable, "True", "set"]);
      expect(diagnostics.map(({ code }) => code)).not.toContain("run.venv-not-used");
    });

    test("one that links to its machine's python is not used, and python still runs", async () => {
      await using fixture = await workspaceFixture(isolation, (directory) =>
        skillsIn(directory, "--symlinks"),
      );
      const { id } = await fixture.workspaces.forSession(SESSION);
      const { stdout, diagnostics } = await fixture.workspaces.run(id, {
        skill: "demo",
        command: `python -c "${SAYS}"`,
      });
      expect(stdout.text).toMatch(/\|False\|None\n$/);
      expect(diagnostics.map(({ code }) => code)).toContain("run.venv-not-used");
    });
  });

if ((await testIsolations()).includes("sandbox"))
  test("one whose python fails under the limits of a call is used by later calls with other limits", async () => {
    const python = '#!/bin/sh\n[ "$(ulimit -n)" -gt 32 ] || exit 1\nexec /bin/sh -c "echo own"\n';
    await using fixture = await workspaceFixture("sandbox", (directory) => {
      const skill = join(directory, "skills", "demo");
      mkdirSync(join(skill, ".venv/bin"), { recursive: true });
      writeFileSync(join(skill, "SKILL.md"), DEMO["SKILL.md"]);
      writeFileSync(join(skill, ".venv/bin/python"), python, { mode: 0o755 });
      return { skills: skillBox({ own: fsRepository({ root: join(directory, "skills"), leaveOut: [] }) }) };
    });
    const { id } = await fixture.workspaces.forSession(SESSION);
    const run = async (limits?: RunLimits) => {
      const wanted = { skill: "demo", command: "python", ...(limits && { limits }) };
      const { stdout, diagnostics } = await fixture.workspaces.run(id, wanted);
      return [stdout.text === "own\n", diagnostics.some(({ code }) => code === "run.venv-not-used")];
    };
    expect((await run({ openFiles: 32 }))[1]).toBe(true);
    expect(await run()).toEqual([true, false]);
  });
