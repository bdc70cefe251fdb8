import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The fields of a manifest that these tests read. */
export interface Manifest {
  name: string;
  private?: boolean;
  description?: string;
  license?: string;
  type?: string;
  version?: string;
  engines?: Record<string, string>;
  files?: string[];
  publishConfig?: Record<string, string>;
  exports?: Record<string, string | Record<string, string>>;
  imports?: Record<string, Record<string, string>>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  optionalDependencies?: Record<string, string>;
}

export interface Package {
  /** Relative to the root: `packages/core`. */
  directory: string;
  name: string;
  manifest: Manifest;
}

/** The checkout's root, absolute. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The scope of all packages of ours, with its slash. */
export const scope = "@skillwright/";

/** The packages directly below a directory of the root (`packages`, `apps`, `examples`), sorted. */
export function packagesIn(folder: string): Package[] {
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`)
    .sort()
    .map((name) => `${folder}/${name}`)
    .filter((directory) => existsSync(`${root}/${directory}/package.json`))
    .map((directory) => {
      const manifest = JSON.parse(readFileSync(`${root}/${directory}/package.json`, "utf8")) as Manifest;
      return { directory, name: manifest.name, manifest };
    });
}

/** The names of all dependencies and peers that a user of the package needs. */
export function runtimeDependencies(manifest: Manifest): string[] {
  return Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  });
}
