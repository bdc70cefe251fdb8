import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import type { Plugin } from "../plugin.js";

/**
 * Resolves a path of the plugin's package, such as a file in the folder of a client's extension. Symlinks may lead to
 * other places in the plugin.
 * @param path Relative to the plugin's root, with or without `./`.
 * @returns Its absolute path with all symlinks resolved.
 * @throws SkillError `PATH_OUTSIDE` where it leads out of the plugin, `FILE_NOT_FOUND` where nothing is there.
 */
export async function pluginPath({ root }: Pick<Plugin, "root">, path: string): Promise<string> {
  const place = await packagePlace(root, path);
  if (place.kind === "inside") return place.path;
  const shown = JSON.stringify(path);
  if (place.kind === "outside")
    throw new SkillError("PATH_OUTSIDE", `The path ${shown} leads out of the plugin. Put the file into it.`);
  throw new SkillError("FILE_NOT_FOUND", `The plugin has no ${shown}. Check the path, or add the file.`);
}

/** `broken`: a symlink whose target does not exist, or a circle of symlinks. */
export type PackagePlace =
  | { readonly kind: "inside"; readonly path: string }
  | { readonly kind: "absent" | "outside" | "broken" };

/** Resolves a path that is relative to `root`. The path of `root` has no symlinks. */
export async function packagePlace(root: string, path: string): Promise<PackagePlace> {
  const written = join(root, path);
  if (isAbsolute(path) || !isWithin(root, written)) return { kind: "outside" };
  const resolved = await ifThere(realpath(written));
  if (resolved !== undefined)
    return isWithin(root, resolved) ? { kind: "inside", path: resolved } : { kind: "outside" };
  const isWritten = await ifThere(lstat(written));
  if (isWritten) return { kind: "broken" };
  return (await hasOutsideParent(root, written)) ? { kind: "outside" } : { kind: "absent" };
}

/** True for `root` itself and what is below it. Both are absolute; symlinks are not looked at. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function hasOutsideParent(root: string, path: string): Promise<boolean> {
  const parent = dirname(path);
  const resolved = await ifThere(realpath(parent));
  if (resolved !== undefined) return !isWithin(root, resolved);
  return parent === root ? false : await hasOutsideParent(root, parent);
}
