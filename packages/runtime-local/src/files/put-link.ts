import { randomBytes } from "node:crypto";
import { lchown, lstat, rename, rm, symlink } from "node:fs/promises";
import { join, posix } from "node:path";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import type { Credentials } from "../host/credentials.js";
import { ownDirectory } from "../storage/own-directory.js";
import { inDirectory } from "./anchored-directory.js";
import { type Place, parentPlace, placePath } from "./place.js";

/**
 * Creates a link with a relative target, so that it has the same meaning on the host and inside a sandbox. A file or
 * link of that name is replaced atomically.
 * @throws SkillError `PATH_OUTSIDE` for a link on the way, `PATH_INVALID` when a directory has that name.
 */
export async function putLink(
  place: Place,
  target: readonly string[],
  { owner, incoming }: { owner: Credentials | undefined; incoming: string },
): Promise<void> {
  const { parent, name } = parentPlace(place);
  const shown = placePath(place);
  if (place.isProject) throw inProject(shown);
  const fresh = join(ownDirectory(incoming), randomBytes(12).toString("hex"));
  try {
    await symlink(posix.relative(posix.dirname(shown), target.join("/")), fresh);
    if (owner) await lchown(fresh, owner.uid, owner.gid);
    const moveIn = async ({ path }: { path: string }) => {
      const found = await ifThere(lstat(`${path}/${name}`));
      if (found?.isDirectory()) throw isDirectory(shown);
      await rename(fresh, `${path}/${name}`);
    };
    await inDirectory(parent, moveIn, { make: true, owner });
  } catch (error) {
    await rm(fresh, { force: true });
    throw SkillError.from(error, `Making the link ${shown}`);
  }
}

function inProject(path: string): SkillError {
  return new SkillError(
    "PATH_INVALID",
    `${path} is in the user's folder, in which no links are made. Choose a path outside work/project.`,
    { details: { path } },
  );
}

function isDirectory(path: string): SkillError {
  return new SkillError(
    "PATH_INVALID",
    `${path} is a directory, which is not replaced. Give the link another name, below it or next to it.`,
    { details: { path } },
  );
}
