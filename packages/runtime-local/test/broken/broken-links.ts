import { chmod, lstat, mkdir, rm, symlink, unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { type Breaking, workspaces } from "./breaking.js";

type Link = NonNullable<RuntimeWorkspace["link"]>;
type Remove = NonNullable<RuntimeWorkspace["remove"]>;

function links(change: (link: Link, workspace: RuntimeWorkspace) => Link): Breaking {
  return workspaces((workspace) =>
    workspace.link ? { link: change(workspace.link, workspace) } : { link: missing },
  );
}

function removals(change: (remove: Remove, workspace: RuntimeWorkspace) => Remove): Breaking {
  return workspaces((workspace) =>
    workspace.remove ? { remove: change(workspace.remove, workspace) } : { remove: missing },
  );
}

async function missing(): Promise<never> {
  throw new Error("The runtime that is broken here links and removes.");
}

export const brokenLinks: Readonly<Record<string, Breaking>> = {
  // With a link text that is valid only in the root.
  "link/made": links((_link, { root }) => async (path, to) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await symlink(to, join(root, path));
  }),
  "link/replaces": links((link, { root }) => async (path, to, options) => {
    await rm(join(root, path), { recursive: true, force: true });
    await link(path, to, options);
  }),
  "link/hostile-paths": links((link) => async (path, to, options) => {
    await link(path, to.includes("..") ? "work/x" : to, options);
  }),
  // Only for the runtime without isolation, whose root is a real path.
  "link/links": links((link, { root }) => async (path, to, options) => {
    await link(path, to, options).catch(async (error: unknown) => {
      if (!SkillError.is(error, "PATH_OUTSIDE")) throw error;
      await mkdir(dirname(join(root, path)), { recursive: true });
      await symlink(relative(dirname(path), to), join(root, path));
    });
  }),
  "link/aborted": links((link) => (path, to) => link(path, to)),
  "remove/gone": removals((_remove, { root }) => async (path) => {
    // Removes only empty directories, like `unlink` and `rmdir`.
    const found = await lstat(join(root, path)).catch(() => undefined);
    if (found && !found.isDirectory()) await unlink(join(root, path));
    return found !== undefined;
  }),
  "remove/links": removals((remove, { root }) => async (path, options) => {
    const found = await lstat(join(root, path)).catch(() => undefined);
    // With a trailing slash, a link's name means its target.
    if (found?.isSymbolicLink()) await chmod(`${join(root, path)}/`, 0o755).then(() => emptied(root, path));
    return await remove(path, options);
  }),
  "remove/refused": removals((remove) => async (path, options) => {
    return await remove(path, options).catch((error: unknown) => {
      if (SkillError.is(error, "PATH_INVALID")) return false;
      throw error;
    });
  }),
  "remove/aborted": removals((remove) => (path) => remove(path)),
};

async function emptied(root: string, path: string): Promise<void> {
  await rm(`${join(root, path)}/file`, { force: true });
}
