/**
 * Boots a virtual machine with systemd, control groups of version 2 and an ordinary user, and runs checks.mjs there as root. The
 * machine has no network and is 10 to 20 times slower than this one; the whole takes some minutes.
 */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { machineProgram } from "../../scripts/virtual-machine/virtual-machine.mjs";

await prepare();
const folder = mkdtempSync(join(tmpdir(), "skillwright-machine-"));
try {
  const node = join(folder, "node");
  mkdirSync(node);
  copyFileSync(process.execPath, join(node, "node"));
  const script = `/given/${basename(realpathSync(root))}/test/virtual-machine/checks.mjs`;
  const command = `PATH=/given/node:$PATH node ${script} ${process.argv.slice(2).join(" ")}`;
  await runCommand(machineProgram(), ["run", root, node, "--", command], {
    env: { ...process.env, AS: "root", SECONDS_MAX: "1800" },
    show: true,
  });
} catch {
  // The output of the machine contains the failures.
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
