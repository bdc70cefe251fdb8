/**
 * Boots a virtual machine with systemd, control groups of version 2 and an ordinary user, and runs checks.mjs there as root. The
 * machine has no network and is 10 to 20 times slower than this one; the whole takes some minutes.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { copyPackages } from "../../scripts/virtual-machine/copy-packages.mjs";
import { runOnMachine } from "../../scripts/virtual-machine/run-on-machine.mjs";

const MOST_SECONDS = 1800;

await prepare();
const folder = mkdtempSync(join(tmpdir(), "skillwright-machine-"));
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
try {
  const started = performance.now();
  const [project, node] = ["project", "node"].map((name) => join(folder, name));
  mkdirSync(node);
  copyFileSync(process.execPath, join(node, "node"));
  copyPackages(project, {
    packages: ["packages/cli", "packages/runtime-local", "apps/agent"],
    others: [
      "package.json",
      "skills",
      "scripts/checks.mjs",
      "scripts/run-command.mjs",
      "test/virtual-machine",
    ],
  });
  console.log(`Copied what the checks need (${seconds(started)}). The machine boots.`);
  const command =
    "echo The machine has booted.; PATH=/given/node:$PATH node /given/project/test/virtual-machine/checks.mjs";
  process.exitCode = await runOnMachine([project, node], command, {
    ...{ temporary: folder, mostSeconds: MOST_SECONDS, memoryMebibytes: 1024, signal: interrupted.signal },
  });
  console.log(`The machine is off; all took ${seconds(started)}.`);
} finally {
  rmSync(folder, { recursive: true });
}

function seconds(/** @type {number} */ started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
