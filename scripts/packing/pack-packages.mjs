import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { childEnvironment } from "../bootstrap/child-environment.mjs";
import { findPnpm } from "../bootstrap/find-pnpm.mjs";
import { cacheDirectory, root } from "../bootstrap/root.mjs";
import { publicPackages } from "../bootstrap/workspace-packages.mjs";
import { runCommand } from "../run-command.mjs";

/**
 * Packs the public packages of the built checkout (or those of the given directories) as for publication.
 *
 * @param {string} [destination] emptied first
 * @param {string[]} [folders] such as `core`
 * @returns {Promise<{ name: string, directory: string, manifest: Record<string, any>, tarball: string, bytes: number }[]>}
 */
export async function packPackages(destination = `${cacheDirectory}/packed`, folders = ["*"]) {
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const pnpmDirectory = await findPnpm();
  const filters = folders.map((folder) => `--filter=./packages/${folder}`);
  const args = ["--recursive", ...filters, "pack", `--pack-destination=${destination}`];
  await runCommand(`${pnpmDirectory}/pnpm`, args, { cwd: root, env: childEnvironment(pnpmDirectory) });
  const files = readdirSync(destination);
  const wanted = publicPackages().filter(
    ({ directory }) => folders.includes("*") || folders.includes(directory.replace("packages/", "")),
  );
  return wanted.map(({ name, directory, manifest }) => {
    const file = `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
    if (!files.includes(file))
      throw new Error(`${name} was not packed: ${file} is not among ${files.join(", ")}`);
    const tarball = `${destination}/${file}`;
    return { name, directory, manifest, tarball, bytes: statSync(tarball).size };
  });
}
