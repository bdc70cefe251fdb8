import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "./root.mjs";

/**
 * @typedef {object} WorkspacePackage
 * @property {string} directory relative to the root, such as `packages/core`
 * @property {string} name
 * @property {boolean} private
 * @property {Record<string, any>} manifest
 */

/**
 * Every package of the workspace that has a manifest, sorted by directory. The directories are those of
 * `pnpm-workspace.yaml`: `packages/*`, `apps/*`, `examples/*`, `bench`.
 *
 * @returns {WorkspacePackage[]}
 */
export function workspacePackages(base = root) {
  const directories = [
    ...children(base, "apps"),
    "bench",
    ...children(base, "examples"),
    ...children(base, "packages"),
  ];
  return directories
    .filter((directory) => existsSync(`${base}/${directory}/package.json`))
    .map((directory) => {
      const manifest = JSON.parse(readFileSync(`${base}/${directory}/package.json`, "utf8"));
      return { directory, name: manifest.name, private: manifest.private === true, manifest };
    });
}

/** The packages that are published. */
export function publicPackages(base = root) {
  return workspacePackages(base).filter((one) => !one.private);
}

function children(base, folder) {
  if (!existsSync(`${base}/${folder}`)) return [];
  return readdirSync(`${base}/${folder}`)
    .sort()
    .map((name) => `${folder}/${name}`);
}
