/**
 * Runs the programs of `examples/agents` with the packed packages: each in a copy of its folder with its own lockfile, so
 * that no agent SDK is a dependency of the workspace. The model is a scripted one on this machine. Names of folders as
 * arguments choose some of them.
 */
import "./modern-node.mjs";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { checkAgent } = await import("./agent-sdks/check-agent.mjs");
const { packPackages } = await import("./packing/pack-packages.mjs");

/** What the programs import, with the packages of ours that those need. */
const PACKED = [
  ...["core", "injector", "lint", "records", "repository-fs", "repository-memory"],
  ...["runtime-local", "skillbox", "supervisor", "tools", "workspace"],
];
const AT_ONCE = 2;

await prepare({ build: PACKED.map((name) => `packages/${name}`) });
const { check, close } = checks();
const examples = `${root}/examples/agents`;
const chosen = process.argv.slice(2);
const waiting = readdirSync(examples)
  .filter((name) => existsSync(`${examples}/${name}/agent.ts`))
  .filter((name) => chosen.length === 0 || chosen.includes(name));
const directory = mkdtempSync(`${tmpdir()}/skillwright-agent-sdks-`);

try {
  const tarballs = (await packPackages(`${directory}/packed`, PACKED)).map(({ tarball }) => tarball);
  cpSync(`${examples}/skills`, `${directory}/skills`, { recursive: true });
  await Promise.all(Array.from({ length: AT_ONCE }, checkWaiting));

  async function checkWaiting() {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const project = `${directory}/${name}`;
      await checkAgent(check, { name, source: `${examples}/${name}`, project, tarballs });
      rmSync(project, { recursive: true, force: true });
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
close();
