import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasAll, leaveOut } from "../../../test/needs/has-all.js";
import { ownHost } from "../src/host/own-host.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import { temporaryDirectory } from "./local-subject.js";
import { runText } from "./running.js";

const SYSTEM = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const hasPython = SYSTEM.some((directory) => existsSync(`${directory}/python`));
const isolations = ["none" as const, ...(hasAll("bubblewrap") ? (["sandbox"] as const) : [])];

async function workspaceOn(isolation: "none" | "sandbox") {
  const { path, remove } = await temporaryDirectory();
  const runtime = localRuntimeOn({ ...ownHost(), searchPath: "/usr/bin:/bin" }, { root: path, isolation });
  const workspace = await runtime.create("w1");
  await workspace.stage({
    name: "demo",
    digest: "sha256:1",
    files: async function* () {
      yield {
        path: "version.py",
        content: "#!/usr/bin/env python\nimport sys\nprint(sys.version_info[0], *sys.argv[1:])\n",
        executable: true,
      };
      yield { path: "bin/python", content: "#!/bin/sh\necho own python\n", executable: true };
    },
  });
  const run = async (command: string, more = {}) => {
    const { stdout, stderr, diagnostics } = await runText(workspace, command, {
      cwd: "skills/demo",
      ...more,
    });
    return {
      says: stdout.text + stderr.text,
      told: diagnostics.some(({ code }) => code === "python.is-python3"),
    };
  };
  const dispose = async () => {
    await runtime.close();
    await remove();
  };
  return { run, [Symbol.asyncDispose]: dispose };
}

if (!SYSTEM.some((directory) => existsSync(`${directory}/python3`))) leaveOut("python3");
else
  describe.each(isolations)("python in commands, isolation %s", (isolation) => {
    test("python starts python3 where only that is installed, and the result says so", async () => {
      await using workspace = await workspaceOn(isolation);
      const { says, told } = await workspace.run("python version.py 'a b' c");
      expect([says, told]).toEqual(["3 a b c\n", !hasPython]);
    });

    test("a script whose first line asks for python runs", async () => {
      await using workspace = await workspaceOn(isolation);
      expect((await workspace.run("./version.py")).says).toBe("3\n");
    });

    test("a python of the skill's own comes first, and a command that names none is told nothing", async () => {
      await using workspace = await workspaceOn(isolation);
      const programs = { before: [], after: ["skills/demo/bin"] };
      if (!hasPython) expect((await workspace.run("python x", { programs })).says).toBe("own python\n");
      expect((await workspace.run("python3 version.py")).told).toBe(false);
      expect((await workspace.run("echo python-3 my.python /usr/bin/python pythonic")).told).toBe(false);
    });
  });
