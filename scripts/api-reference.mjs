/**
 * `pnpm docs:api`: writes the API reference of the published packages and their documents as HTML into
 * `artifacts/api-reference`. A link that leads nowhere is an error. TypeDoc and the TypeScript that it supports are
 * installed in `scripts/api-reference`, outside of the workspace.
 */
import "./modern-node.mjs";
import assert from "node:assert/strict";

const { deadLinks } = await import("./api-reference/dead-links.mjs");
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
const written =
  installed &&
  (await check("the API reference is written, without a warning", () =>
    runCommand(process.execPath, ["node_modules/typedoc/bin/typedoc", "--options", "typedoc.config.mjs"], {
      cwd: directory,
      show: true,
    }),
  ));
if (written) {
  await check("every link between its pages leads somewhere", () =>
    assert.deepEqual(deadLinks(`${root}/artifacts/api-reference`), []),
  );
}
close();
