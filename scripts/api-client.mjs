/**
 * `pnpm api:client`: writes the types of the HTTP API's client from the server's OpenAPI document. With `--check`, it fails where
 * they are not those of the document. openapi-typescript and the TypeScript that it supports are installed in
 * `scripts/api-client`, outside of the workspace.
 */
import "./modern-node.mjs";
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { installLocked } = await import("./packing/install-locked.mjs");
const { runCommand } = await import("./run-command.mjs");

const directory = `${root}/scripts/api-client`;
const file = `${root}/packages/server/src/client/server-paths.generated.ts`;
const isCheck = process.argv.includes("--check");

await prepare({ build: [] });
const { check, close } = checks();
const title = "Installing openapi-typescript with npm (once)";
const isInstalled = await check("openapi-typescript installs from its own lockfile", () =>
  installLocked({ directory, title, log: "openapi-typescript" }),
);
if (isInstalled)
  await check(
    isCheck
      ? "the client's types are those of the OpenAPI document (pnpm api:client writes them)"
      : "the client's types are written",
    async () => {
      const made = `${root}/.cache/server-paths.ts`;
      const program = `${directory}/node_modules/openapi-typescript/bin/cli.js`;
      const document = `${root}/packages/server/openapi.json`;
      await runCommand(process.execPath, [program, document, "--output", made], {
        cwd: directory,
      });
      // TypeDoc knows no such tag.
      const text = readFileSync(made, "utf8").replaceAll("@description ", "");
      if (isCheck) assert.equal(readFileSync(file, "utf8"), text);
      else writeFileSync(file, text);
    },
  );
close();
