import { readFileSync } from "node:fs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { installLocked } from "../../scripts/packing/install-locked.mjs";

const directory = `${root}/bench/peers`;

/**
 * Installs the peers from their own lockfile into `bench/peers/node_modules` (about 1 GB), if needed.
 *
 * @returns {Promise<string | undefined>} why the installation failed
 */
export function installPeers() {
  const title = "Installing the peers of the benchmark with npm (about 1 GB, once)";
  return installLocked({ directory, title, log: "bench-peers" }).then(
    () => undefined,
    (error) => error.message,
  );
}

/**
 * The exact version of a peer in the manifest.
 *
 * @param {string} name
 * @returns {string}
 */
export function peerVersion(name) {
  const { dependencies } = JSON.parse(readFileSync(`${directory}/package.json`, "utf8"));
  return dependencies[name];
}
