import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { containedPath, SkillError } from "@skillwright/core";
import { notDirectory, notFound } from "./anchored-directory.js";
import { type Place, placePath } from "./place.js";

const MAX_LINKS = 40;

/**
 * Checks that a command can start in that directory: it exists, and no link on the way leads out of the workspace.
 * Links that stay inside are followed, since every staged skill has some. Uses synchronous calls, which take
 * microseconds.
 * @param locate Returns the location of a workspace path; a skill may be outside the tree.
 * @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID` for a file.
 */
export function resolveDirectory(
  path: string,
  { root, locate }: { root: string; locate: (parts: readonly string[]) => Place },
): Place {
  const ahead = path === "." ? [] : containedPath(path).split("/");
  let parts: string[] = [];
  for (let links = 0; ahead.length > 0; ) {
    const part = ahead.shift() ?? "";
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.pop() === undefined) throw leadsOut(path);
      continue;
    }
    const stats = look(locate([...parts, part]));
    if (stats.isSymbolicLink()) {
      if (++links > MAX_LINKS) throw leadsOut(path);
      const target = insideTarget(readlinkSync(hostPath(locate([...parts, part]))), root);
      if (target === undefined) throw leadsOut(path);
      if (target.fromRoot) parts = [];
      ahead.unshift(...target.parts);
    } else if (stats.isDirectory()) parts.push(part);
    else throw notDirectory(placePath(locate([...parts, part])));
  }
  return locate(parts);
}

export function hostPath({ base, parts }: Place): string {
  return [base, ...parts].join("/");
}

function look(place: Place): Stats {
  const stats = lstatSync(hostPath(place), { throwIfNoEntry: false });
  if (!stats) throw notFound(`directory ${placePath(place)}`);
  return stats;
}

/** An absolute link stays inside if its target is below the root as commands see it. */
function insideTarget(target: string, root: string): { parts: string[]; fromRoot: boolean } | undefined {
  if (!target.startsWith("/")) return { parts: target.split("/"), fromRoot: false };
  if (target !== root && !target.startsWith(`${root}/`)) return undefined;
  return { parts: target.slice(root.length).split("/"), fromRoot: true };
}

function leadsOut(path: string): SkillError {
  return new SkillError(
    "PATH_OUTSIDE",
    `The directory ${path} leads out of the workspace through a symlink. Give a directory inside it.`,
    { details: { path } },
  );
}
