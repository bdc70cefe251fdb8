import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../bootstrap/root.mjs";

/** Declarations, maps and manuals, which no program reads. */
const UNREAD_FILE = /\.(d\.[cm]?ts|map|md)$/;
/** Folders of our packages that no program reads. */
const UNREAD_FOLDER = /\/(src|test|native|node_modules|\.turbo)$/;

/**
 * Copies built packages and the packages that they depend on, at the same paths below the folder as in the repository.
 *
 * @param {string} folder
 * @param {{ packages: readonly string[], others: readonly string[] }} wanted directories of packages; other files and folders
 */
export function copyPackages(folder, { packages, others }) {
  const top = realpathSync(root);
  const placeOf = (/** @type {string} */ path) => join(folder, relative(top, path));
  const copied = /** @type {Set<string>} */ (new Set());
  for (const path of packages) copyPackage(join(top, path));
  for (const path of others) cpSync(join(top, path), join(folder, path), { recursive: true });

  function copyPackage(/** @type {string} */ directory) {
    if (copied.has(directory)) return;
    copied.add(directory);
    const isInstalled = directory.includes("/node_modules/");
    cpSync(directory, placeOf(directory), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path === directory || isRead(path, isInstalled),
    });
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(directory, "package.json"), "utf8"),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      copyDependency(directory, name);
  }

  /** Copies the link that Node would find and the package that it leads to. A missing one is optional. */
  function copyDependency(/** @type {string} */ directory, /** @type {string} */ name) {
    for (let from = directory; from.startsWith(top); from = dirname(from)) {
      const link = join(from, "node_modules", name);
      if (!existsSync(link)) continue;
      if (lstatSync(link).isSymbolicLink()) copyLink(link);
      copyPackage(realpathSync(link));
      return;
    }
  }

  function copyLink(/** @type {string} */ link) {
    mkdirSync(dirname(placeOf(link)), { recursive: true });
    if (!lstatSync(placeOf(link), { throwIfNoEntry: false })) symlinkSync(readlinkSync(link), placeOf(link));
  }
}

function isRead(/** @type {string} */ path, /** @type {boolean} */ isInstalled) {
  return !UNREAD_FILE.test(path) && !(isInstalled ? /\/node_modules$/ : UNREAD_FOLDER).test(path);
}
