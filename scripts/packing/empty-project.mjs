import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { childEnvironment } from "../bootstrap/child-environment.mjs";
import { runCommand } from "../run-command.mjs";

const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];

/**
 * An empty project with one packed package, installed by npm as a user would. Its dependencies of ours come from
 * the other tarballs. Third-party packages are installed as of `asOf`, so that their new releases
 * change nothing here.
 *
 * @param {string} directory
 * @param {{ name: string, tarball: string }[]} wanted
 * @param {{ name: string, tarball: string }[]} packed
 * @param {string} [asOf] a date
 */
export async function emptyProject(directory, wanted, packed, asOf) {
  mkdirSync(directory, { recursive: true });
  const file = ({ name, tarball }) => [name, `file:${tarball}`];
  const manifest = {
    name: "empty-project",
    private: true,
    type: "module",
    dependencies: Object.fromEntries(wanted.map(file)),
    overrides: Object.fromEntries(packed.map(file)),
  };
  writeFileSync(`${directory}/package.json`, JSON.stringify(manifest, undefined, 2));
  await npmInstall(directory, [], asOf);
}

/** Adds packages to a project, or installs the dependencies in its manifest. */
export async function npmInstall(directory, packages, asOf) {
  const before = asOf ? [`--before=${asOf}`] : [];
  await runCommand("npm", ["install", ...quiet, ...before, ...packages], {
    cwd: directory,
    env: childEnvironment(),
  });
}

/**
 * Adds peers to such a project, each in a range of a manifest: ours from the tarballs.
 *
 * @param {string} directory
 * @param {[string, string][]} peers
 * @param {{ name: string, tarball: string }[]} packed
 * @param {string} [asOf] a date
 */
export async function installPeers(directory, peers, packed, asOf) {
  const manifest = JSON.parse(readFileSync(`${directory}/package.json`, "utf8"));
  const ours = packed.filter(({ name }) => peers.some(([peer]) => peer === name));
  for (const { name, tarball } of ours) manifest.dependencies[name] = `file:${tarball}`;
  writeFileSync(`${directory}/package.json`, JSON.stringify(manifest, undefined, 2));
  const others = peers.filter(([peer]) => !ours.some(({ name }) => name === peer));
  await npmInstall(
    directory,
    others.map(([peer, range]) => `${peer}@${range}`),
    asOf,
  );
}

/** The subpaths of a manifest that programs import, without data files. */
export function importedSubpaths({ exports }) {
  return Object.keys(exports).filter((subpath) => !subpath.endsWith(".json"));
}

/** Everything in the project's node_modules, as `name` (once more as `name` below another for a second version), sorted. */
export function installedPackages(directory) {
  const lock = JSON.parse(readFileSync(`${directory}/package-lock.json`, "utf8"));
  return Object.keys(lock.packages)
    .filter((path) => path !== "")
    .map((path) => path.replace(/^node_modules\//, "").replaceAll("/node_modules/", " > "))
    .sort();
}
