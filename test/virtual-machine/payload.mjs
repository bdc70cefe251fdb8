import { cpSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../../scripts/bootstrap/root.mjs";

/** Parts of a package that no program reads. */
const UNREAD = /\.(d\.[cm]?ts|map|md|tsbuildinfo)$|\/(src|test|native|node_modules|\.turbo)$/;

/**
 * Copies built packages and everything that they load into a folder, at the same paths as in the repository: a small part of it.
 *
 * @param {string} folder
 * @param {{ packages: readonly string[], paths: readonly string[] }} wanted packages by their directories, and other files and folders
 */
export function copyPayload(folder, { packages, paths }) {
  const copied = new Set();
  for (const path of packages) copyPackage(realpathSync(join(root, path)));
  for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true });

  function copyPackage(directory) {
    if (copied.has(directory)) return;
    copied.add(directory);
    const own = realpathSync(root) === directory ? undefined : directory;
    if (own === undefined) return;
    const isOurs = !relative(realpathSync(root), directory).startsWith("node_modules");
    cpSync(directory, placeOf(directory), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path === directory || !(isOurs ? UNREAD : /\.(d\.[cm]?ts|map|md)$|\/node_modules$/).test(path),
    });
    const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    const names = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    for (const name of Object.keys(names)) copyDependency(directory, name);
  }

  function copyDependency(directory, name) {
    for (let from = directory; from.startsWith(root); from = dirname(from)) {
      const link = join(from, "node_modules", name);
      const stats = lstatSync(link, { throwIfNoEntry: false });
      if (!stats) continue;
      if (stats.isSymbolicLink()) {
        mkdirSync(dirname(placeOf(link)), { recursive: true });
        if (!lstatSync(placeOf(link), { throwIfNoEntry: false })) symlinkSync(readlinkSync(link), placeOf(link));
      }
      copyPackage(realpathSync(link));
      return;
    }
  }

  function placeOf(path) {
    return join(folder, relative(root, path));
  }
}
