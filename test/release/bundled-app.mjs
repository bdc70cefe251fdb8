import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { emptyProject, npmInstall } from "../../scripts/packing/empty-project.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

const ours = [
  "core",
  "injector",
  "lint",
  "repository-fs",
  "repository-memory",
  "runtime-local",
  "skillbox",
  "tools",
  "workspace",
];
const bundlers = [
  "esbuild@0.27.7",
  "webpack@5.112.2",
  "rollup@4.68.7",
  "@rollup/plugin-commonjs@29.0.3",
  "@rollup/plugin-json@6.1.0",
  "@rollup/plugin-node-resolve@16.0.3",
  "next@16.4.6",
  "react@19.3.1",
  "react-dom@19.3.1",
];

/** The banner in docs/bundling.md for an ES module built with esbuild. */
const requireBanner =
  'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);';

/** The packages that the application installs. */
export function bundled(packed) {
  return packed.filter(({ name }) => ours.includes(name.replace("@skillwright/", "")));
}

/**
 * Bundles a small application with each bundler as docs/bundling.md says. Each bundle runs where no package is installed
 * except the supervisor, whose files bundlers do not copy, and must print the same as the unbundled application.
 */
export async function checkBundledApp({ project, packed, expected, check }) {
  const installed = await check("an application installs with its bundlers", async () => {
    await emptyProject(project, bundled(packed), packed, expected.asOf);
    await npmInstall(project, bundlers, expected.asOf);
    cpSync(`${root}/test/release/bundled-app`, project, { recursive: true });
  });
  if (!installed) return;
  /** @type {Record<string, unknown>} */
  let app = {};
  let catalogue = {};
  const runs = await check("the application runs unbundled", async () => {
    app = await outputOf(`${project}/app-main.mjs`);
    catalogue = await outputOf(`${project}/catalogue-main.mjs`);
    const { parsed, listed, shown, printed } = app;
    assert.deepEqual(
      { parsed, listed, shown, printed },
      { parsed: "hello", listed: ["hello"], shown: true, printed: "Hello from a bundle\n" },
    );
  });
  if (!runs) return;

  const bundles = `${project}-bundles`;
  const withSupervisor = `${bundles}/with-supervisor`;
  const supervisor = "node_modules/@skillwright/supervisor";
  cpSync(`${project}/${supervisor}`, `${withSupervisor}/${supervisor}`, { recursive: true });
  const esbuild = async (/** @type {string} */ entry, /** @type {string} */ file, ...options) => {
    const args = [entry, "--bundle", "--platform=node", `--outfile=${file}`, ...options];
    await runCommand("node_modules/.bin/esbuild", args, { cwd: project });
    return file;
  };

  await check("an ES module by esbuild reads skills with no setting", async () => {
    const file = await esbuild("catalogue-main.mjs", `${bundles}/esbuild/catalogue.mjs`, "--format=esm");
    assert.deepEqual(await outputOf(file), catalogue);
  });
  await check("an ES module by esbuild runs a command, with a banner", async () => {
    const options = ["--format=esm", `--banner:js=${requireBanner}`];
    assert.deepEqual(
      await outputOf(await esbuild("app-main.mjs", `${withSupervisor}/esbuild.mjs`, ...options)),
      app,
    );
  });
  await check("CommonJS by esbuild runs a command with no setting", async () => {
    const file = await esbuild("app-main.mjs", `${withSupervisor}/esbuild.cjs`, "--format=cjs");
    assert.deepEqual(await outputOf(file), app);
  });
  await check("a bundle by webpack runs a command with no setting", async () => {
    await runCommand(process.execPath, ["webpack.mjs", withSupervisor], { cwd: project });
    assert.deepEqual(await outputOf(`${withSupervisor}/webpack.cjs`), app);
  });
  await check("a bundle by rollup runs a command", async () => {
    await runCommand("node_modules/.bin/rollup", ["--config", "rollup.config.mjs", "--dir", withSupervisor], {
      cwd: project,
    });
    assert.deepEqual(await outputOf(`${withSupervisor}/app-main.mjs`), app);
  });
  await check("a route of Next runs a command with no setting", async () => {
    const env = { ...childEnvironment(), NEXT_TELEMETRY_DISABLED: "1" };
    await runCommand("node_modules/.bin/next", ["build"], { cwd: project, env });
    assert.deepEqual(JSON.parse(readFileSync(`${project}/.next/server/app/skills.body`, "utf8")), app);
  });
}

async function outputOf(file) {
  const { stdout } = await runCommand(process.execPath, [file]);
  return JSON.parse(stdout);
}
