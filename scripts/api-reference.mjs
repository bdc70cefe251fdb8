/**
 * `pnpm docs:api`: writes the API reference of the published packages and their documents as HTML into
 * `artifacts/api-reference`. A link that leads nowhere is an error. TypeDoc and the TypeScript that it supports are
 * installed in `scripts/api-reference`, outside of the workspace.
 */
import "./node-version.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { installLocked } = await import("./packing/install-locked.mjs");
const { runCommand } = await import("./run-command.mjs");

await prepare({ build: [] });
const directory = `${root}/scripts/api-reference`;
const { check, close } = checks();
const installed = await check("TypeDoc installs from its own lockfile", () =>
  installLocked({ directory, title: "Installing TypeDoc with npm (once)", log: "typedoc" }),
);
if (installed) {
  await check("the API reference is written, and all of its links lead somewhere", () =>
    runCommand(process.execPath, ["node_modules/typedoc/bin/typedoc", "--options", "typedoc.config.mjs"], {
      cwd: directory,
      show: true,
    }),
  );
}
close();
