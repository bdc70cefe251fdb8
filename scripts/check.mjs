/** `pnpm check` (or `npm run check`): all checks of the code besides its tests. Runs all parts, whatever fails. */
import "./modern-node.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { childEnvironment } = await import("./bootstrap/child-environment.mjs");
const { findPnpm } = await import("./bootstrap/find-pnpm.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { runCommand } = await import("./run-command.mjs");

const parts = [
  {
    name: "Biome: format and lint",
    command: "biome",
    args: ["ci", ".", ...(process.stdout.isTTY ? [] : ["--colors=off"])],
  },
  { name: "knip: nothing unused, nothing undeclared", command: "knip", args: [] },
  { name: "tsc: types of everything, from source", command: "tsc", args: [] },
  { name: "tsc: types of the scripts", command: "tsc", args: ["-p", "tsconfig.scripts.json"] },
  {
    name: "build, publint and are-the-types-wrong on every package",
    command: "turbo",
    args: ["run", "build", "check:package", "--output-logs=errors-only", "--ui=stream"],
  },
];

await prepare({ build: [] });
const env = childEnvironment(await findPnpm());
const { check, close } = checks();
for (const { name, command, args } of parts) {
  await check(name, () => runCommand(`${root}/node_modules/.bin/${command}`, args, { cwd: root, env }));
}
close();
