import { chmod, copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Diagnostic, WorkspaceRuntime } from "@skillwright/core";
import { afterEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type HostPrograms, hostInterpreters } from "../src/host/interpreters.js";
import { ownHost } from "../src/host/own-host.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import { temporaryDirectory } from "./local-subject.js";
import { printed } from "./running.js";

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A user's home with a Node.js installed by nvm, a Python installed by uv, and a private file. */
async function home() {
  const { path, remove } = await temporaryDirectory();
  undo.push(remove);
  await chmod(path, 0o755);
  const node = join(path, ".nvm/versions/node/v0/bin/node");
  const npm = join(path, ".nvm/versions/node/v0/lib/node_modules/npm/bin/npm-cli.js");
  const python = join(path, ".local/share/uv/python/cpython-3.99/bin/python3.99");
  await write(npm, "#!/usr/bin/env node\nconsole.log('own npm');\n");
  await write(join(dirname(npm), "npx-cli.js"), "#!/usr/bin/env node\n");
  await write(python, '#!/bin/sh\necho "own python, $0"\n');
  await write(join(dirname(python), "../lib/python3.99/os.py"), "# library\n");
  await write(join(dirname(python), "../private.txt"), "private");
  await write(join(path, ".ssh/id"), "private");
  await symlink("python3.99", join(dirname(python), "python3"));
  await mkdir(join(path, ".local/bin"));
  await symlink(join(dirname(python), "python3.99"), join(path, ".local/bin/python3"));
  await mkdir(dirname(node), { recursive: true });
  await copyFile(process.execPath, node);
  return { path, node, python, programs: { execPath: node, searchPath: join(path, ".local/bin"), env: {} } };
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode: 0o755 });
}

async function runtimeWith(
  programs: HostPrograms,
  isolation: "sandbox" | "none" = "sandbox",
): Promise<WorkspaceRuntime> {
  const { path, remove } = await temporaryDirectory();
  const host = { ...ownHost(), ...programs };
  const runtime = localRuntimeOn(host, { root: path, isolation });
  undo.push(async () => {
    await runtime.close();
    await remove();
  });
  return runtime;
}

if (hasAll("bubblewrap"))
  describe("interpreters below a home", () => {
    test("node, npm and python3 precede the system's, and nothing else of the home is visible", async () => {
      const { path, python, programs } = await home();
      const runtime = await runtimeWith(programs);
      expect(await ofInterpreters(runtime)).toEqual([]);
      const workspace = await runtime.create("w1");
      const text = "command -v node npm python3; node -p 1+1; npm; python3";
      expect(await printed(workspace, text)).toBe(
        `/opt/node/bin/node\n/opt/node/bin/npm\n${dirname(python)}/python3\n2\nown npm\nown python, ${dirname(python)}/python3\n`,
      );
      const found = await printed(workspace, `find '${path}' -type f | sed 's|.*/||' | sort`);
      expect(found).toBe("os.py\npython3.99\n");
      expect(
        await printed(workspace, `touch '${dirname(python)}/x' /opt/node/bin/x 2>&1 | grep -c 'Read-only'`),
      ).toBe("2\n");
    });

    test("an installation that does not run inside is reported", async () => {
      const { programs, python } = await home();
      await write(python, "#!/no/such/interpreter\n");
      expect(await ofInterpreters(await runtimeWith(programs))).toMatchObject([
        { code: "interpreter.not-working", message: expect.stringContaining(python) },
      ]);
    });

    test("for pyenv the selected version is visible, without its shims and its other versions", async () => {
      const { path, remove } = await temporaryDirectory();
      undo.push(remove);
      await chmod(path, 0o755);
      const pyenv = join(path, ".pyenv");
      for (const version of ["3.98.0", "3.99.1"]) {
        await write(
          join(pyenv, `versions/${version}/bin/python3.99`),
          `#!/bin/sh\necho "pyenv ${version}"\n`,
        );
        await symlink("python3.99", join(pyenv, `versions/${version}/bin/python3`));
        await write(join(pyenv, `versions/${version}/lib/python3.99/os.py`), "# library\n");
      }
      await write(join(pyenv, "shims/python3"), "#!/bin/sh\nexit 1\n");
      await write(join(pyenv, "version"), "3.99.1\n");
      const programs = { execPath: "/usr/bin/electron", searchPath: join(pyenv, "shims"), env: {} };
      const runtime = await runtimeWith(programs);
      expect(await ofInterpreters(runtime)).toEqual([]);
      const workspace = await runtime.create("w1");
      expect(await printed(workspace, `python3; ls '${pyenv}' '${pyenv}/versions'`)).toBe(
        `pyenv 3.99.1\n${pyenv}:\nversions\n\n${pyenv}/versions:\n3.99.1\n`,
      );
    });

    test("a virtual environment's python is the one it was created from", async () => {
      const { path, python, programs } = await home();
      await mkdir(join(path, "project/.venv/bin"), { recursive: true });
      await symlink(python, join(path, "project/.venv/bin/python3"));
      await write(join(path, "project/.venv/pyvenv.cfg"), `home = ${dirname(python)}\n`);
      const runtime = await runtimeWith({ ...programs, searchPath: join(path, "project/.venv/bin") });
      const workspace = await runtime.create("w1");
      expect(await printed(workspace, `python3; ls "${path}/project" 2>/dev/null || echo hidden`)).toBe(
        `own python, ${dirname(python)}/python3\nhidden\n`,
      );
    });

    test("a version manager's script without a target, and a python without its own installation, are reported", async () => {
      const { path, programs } = await home();
      await write(join(path, ".asdf/shims/python3"), "#!/bin/sh\nexit 1\n");
      await write(join(path, "bin/python3"), "#!/bin/sh\n");
      for (const directory of [".asdf/shims", "bin"]) {
        const found = await ofInterpreters(
          await runtimeWith({ ...programs, searchPath: join(path, directory) }),
        );
        expect(found).toMatchObject([
          { code: "interpreter.not-visible", message: expect.stringContaining(join(path, directory)) },
        ]);
      }
    });

    if (process.geteuid?.() === 0)
      test("a root host shares node from its private home, and reports what it cannot share", async () => {
        const { path, programs } = await home();
        await chmod(path, 0o700);
        const runtime = await runtimeWith(programs);
        const codes = (await ofInterpreters(runtime)).map(({ code }) => code);
        expect(codes).toEqual(["interpreter.npm-not-visible", "interpreter.not-visible"]);
        const workspace = await runtime.create("w1");
        expect(await printed(workspace, "command -v node; node -p 1+1")).toBe("/opt/node/bin/node\n2\n");
        expect(await printed(workspace, `ls -d "${path}" 2>/dev/null || echo none`)).toBe("none\n");
      });

    test("interpreters below /usr need no mounts", async () => {
      const programs = { execPath: "/usr/bin/node", searchPath: "/usr/bin", env: {} };
      const { diagnostics } = await (await runtimeWith(programs)).capabilities();
      expect(diagnostics?.filter(({ message }) => message.includes("/usr/bin"))).toEqual([]);
    });
  });

test("without isolation the user's own interpreters come first in PATH", async () => {
  const { programs, node } = await home();
  const workspace = await (await runtimeWith(programs, "none")).create("w1");
  expect(await printed(workspace, "command -v node; python3 | cut -d, -f1")).toBe(`${node}\nown python\n`);
});

describe("locating interpreters", () => {
  test("pyenv's shims are resolved by its selected version", async () => {
    const { path, remove } = await temporaryDirectory();
    undo.push(remove);
    await write(join(path, "shims/python3"), "#!/bin/sh\nexit 1\n");
    await write(join(path, "versions/3.99.1/bin/python3"), "#!/bin/sh\n");
    await write(join(path, "version"), "3.98.0\n3.99.1\n");
    const programs = { execPath: process.execPath, searchPath: join(path, "shims"), env: {} };
    const python = (await hostInterpreters(programs)).find(({ name }) => name === "python3");
    expect(python?.program).toBe(join(path, "versions/3.99.1/bin/python3"));
    const other = { ...programs, env: { PYENV_VERSION: "3.50.0" } };
    expect((await hostInterpreters(other)).find(({ name }) => name === "python3")?.program).toBeUndefined();
  });

  test("relative parts of PATH are skipped, and another program's path is not node's", async () => {
    const { path, remove } = await temporaryDirectory();
    undo.push(remove);
    await write(join(path, "node"), "#!/bin/sh\n");
    expect(
      await hostInterpreters({ execPath: "/usr/bin/electron", searchPath: `.:bin:${path}`, env: {} }),
    ).toEqual([{ name: "node", found: join(path, "node"), program: join(path, "node") }]);
    expect(await hostInterpreters({ execPath: "/usr/bin/electron", searchPath: ".", env: {} })).toEqual([]);
  });
});

/** A machine may also lack the means for limits. */
async function ofInterpreters(runtime: WorkspaceRuntime): Promise<readonly Diagnostic[]> {
  const { diagnostics = [] } = await runtime.capabilities();
  return diagnostics.filter(({ code }) => code.startsWith("interpreter."));
}
