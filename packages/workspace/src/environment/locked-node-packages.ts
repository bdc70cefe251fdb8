import { type Fields, isFields, jsonFields } from "../fields.js";
import type { NeededPackage } from "./environment-need.js";

/** The checked files of an npm project, or why no environment can be made from it. */
export type LockedNodePackages =
  | { readonly packages: readonly NeededPackage[]; readonly files: Readonly<Record<string, string>> }
  | { readonly problem: string };

const DECLARED = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides"];

/**
 * Reads `package.json` and a lockfile of version 2 or 3 in which every package has an integrity. Addresses are left
 * out, so that npm fetches each package from the configured registry; scripts are left out as well.
 */
export function lockedNodePackages(manifest: string, lock: string): LockedNodePackages {
  const own = jsonFields(manifest);
  const { lockfileVersion, packages: entries } = jsonFields(lock) ?? {};
  if (!own) return { problem: "package.json is not a JSON object" };
  if (!isFields(entries) || (lockfileVersion !== 2 && lockfileVersion !== 3))
    return { problem: "its format is not version 2 or 3 of npm's lockfile" };
  if (own["workspaces"] !== undefined) return { problem: "package.json has workspaces" };
  const packages: NeededPackage[] = [];
  const kept: Record<string, unknown> = {};
  for (const [path, entry] of Object.entries(entries)) {
    if (!isFields(entry)) return { problem: `the entry ${JSON.stringify(path)} is not an object` };
    const { resolved, ...rest } = entry;
    kept[path] = rest;
    if (path === "") continue;
    const name = path.split("node_modules/").at(-1) ?? "";
    const problem = problemOf(path, entry);
    if (problem !== undefined) return { problem: `${name || JSON.stringify(path)} ${problem}` };
    if (entry["dev"] !== true) packages.push({ name, version: String(entry["version"]) });
  }
  const declared = Object.fromEntries(DECLARED.flatMap((key) => (key in own ? [[key, own[key]]] : [])));
  const files = {
    "package.json": JSON.stringify({ name: "skill", version: "0.0.0", ...declared }),
    "package-lock.json": JSON.stringify({ lockfileVersion, packages: kept, requires: true }),
  };
  return { packages, files };
}

function problemOf(
  path: string,
  { link, integrity, version, resolved, inBundle }: Fields,
): string | undefined {
  if (link === true || !path.startsWith("node_modules/")) return "is a folder, not a package of a registry";
  if (typeof version !== "string") return "has no version";
  if (resolved !== undefined && !/^https?:/.test(String(resolved))) return "does not come from a registry";
  if (typeof integrity !== "string" && inBundle !== true) return "has no integrity";
  return undefined;
}
