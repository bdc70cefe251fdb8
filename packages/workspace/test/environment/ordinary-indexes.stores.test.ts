import path from "node:path";
import type { WorkspaceRunOptions } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { environmentStore } from "../../src/index.js";
import { DEMO, SESSION, workspaceFixture } from "../workspace-fixture.js";

/** Locked as pip-compile and npm write it. */
const LOCKED = {
  "requirements.txt": `# made with --generate-hashes
idna==3.7 \\
    --hash=sha256:028ff3aadf0609c1fd278d8ea3089299412a7a8b9bd005dd08b9f8285bcb5cfc \\
    --hash=sha256:82fee1fc78add43492d3a1898bfa6d8a904cc97d8427f683ed8e798d07761aa0
six==1.16.0 ; python_version >= "3.6" \\
    --hash=sha256:8abb2f1d86890a2dfb989f9a77cfcfd3e47c2a354b01111771326f8aa26e0254
`,
  "package.json": JSON.stringify({ name: "demo", dependencies: { "is-odd": "^3.0.1" } }),
  "package-lock.json": JSON.stringify({
    name: "demo",
    lockfileVersion: 3,
    packages: {
      "": { name: "demo", dependencies: { "is-odd": "^3.0.1" } },
      "node_modules/is-number": {
        version: "6.0.0",
        integrity:
          "sha512-Wu1VHeILBK8KAWJUAiSZQX94GmOE45Rg6/538fKwiloUu21KncEkYGPqob2oSZ5mUT73vLGrHQjKw3KMPwfDzg==",
      },
      "node_modules/is-odd": {
        version: "3.0.1",
        integrity:
          "sha512-CQpnWPrDwmP1+SMHXZhtLtJv90yiyVfluGsX5iNCVkrhQtU3TQHsUWPG9wkdk9Lgd5yNpAg9jQEo90CBaXgWMA==",
        dependencies: { "is-number": "^6.0.0" },
      },
    },
  }),
};

if (hasAll("bubblewrap", "pip or ensurepip", "npm of the system", "a package index for pip and npm"))
  describe("the package indexes that this machine is configured with", () => {
    test("PKG-01: a skill with packages of both kinds runs after one approval", async () => {
      await using fixture = await workspaceFixture("sandbox", (directory) => ({
        environments: environmentStore({ root: path.join(directory, "environments") }),
      }));
      const { workspaces, repository } = fixture;
      const files = Object.entries({ ...DEMO, ...LOCKED });
      await repository.upload(files.map(([path, content]) => ({ path, content })));
      const asked: string[] = [];
      const approveInstall: WorkspaceRunOptions["approveInstall"] = async ({ installs }) => {
        for (const { packages } of installs) asked.push(packages.map(({ name }) => name).join(" "));
        return true;
      };
      const command = [
        'python3 -c "import idna, six; print(idna.__version__, six.__version__)"',
        `node -e 'console.log(require("is-odd")(3))' --input-type=commonjs`,
      ].join("\n");
      const { id } = await workspaces.forSession(SESSION);
      const { stdout, exitCode } = await workspaces.run(id, { skill: "demo", command }, { approveInstall });
      expect({ stdout: stdout.text, exitCode }).toEqual({ stdout: "3.7 1.16.0\ntrue\n", exitCode: 0 });
      expect(asked).toEqual(["idna six", "is-number is-odd"]);
    });
  });
