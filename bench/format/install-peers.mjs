import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { contentFingerprint } from "../../scripts/bootstrap/fingerprint.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { runStep } from "../../scripts/bootstrap/step.mjs";

const directory = `${root}/bench/peers`;
/** In node_modules, so that deleting that deletes the stamp. */
const stampFile = `${directory}/node_modules/.skillwright-installed`;

/**
 * Installs the peers from their own lockfile into `bench/peers/node_modules` (about 1 GB), if needed.
 *
 * @returns why the installation failed, or undefined
 */
export async function installPeers() {
  const wanted = contentFingerprint([`${directory}/package.json`, `${directory}/package-lock.json`]);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return undefined;
  rmSync(stampFile, { force: true });
  try {
    await runStep({
      title: "Installing the peers of the benchmark with npm (about 1 GB, once)",
      log: "bench-peers",
      remedy: "check that npm reaches its registry (npm ping), then run the command again.",
      command: "npm",
      args: ["ci", "--no-audit", "--no-fund", "--loglevel=error"],
      env: childEnvironment(),
      cwd: directory,
    });
  } catch (error) {
    return error.message;
  }
  writeFileSync(stampFile, wanted);
  return undefined;
}

/** The exact version of a peer in the manifest. */
export function peerVersion(name) {
  const { dependencies } = JSON.parse(readFileSync(`${directory}/package.json`, "utf8"));
  return dependencies[name];
}
