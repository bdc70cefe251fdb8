import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import { isRoot } from "../host/credentials.js";
import { sweepRegistry } from "../records/sweep-registry.js";
import { sweepRoot } from "./sweep-root.js";

/** The directory of all workspaces of one runtime. */
export interface RuntimeRoot {
  /** Absolute path with links resolved. */
  readonly path: string;
  /** Directory of this package's own files, beside the workspaces, under a name that no workspace can have. */
  readonly own: string;
  /** Directory in `own` for records and leases of workspaces. */
  readonly registry: string;
}

/**
 * Creates the directory where it is missing: by default `<tmp>/skillwright-<uid>/workspaces`. Commands of a root host
 * run as another user, who may pass through it but not list it; otherwise only this user has access.
 * @throws SkillError `CONFIG_INVALID` when it is a link, belongs to another user, is below /usr, or is writable by
 * others.
 * @param namespace The workspaces are below `.skillwright/of-<namespace>` in the root. Without a root, it defaults to a namespace
 * that is made from the working directory.
 */
export async function openRuntimeRoot(
  root: string | undefined,
  namespace = root === undefined ? ofWorkingDirectory() : undefined,
): Promise<RuntimeRoot> {
  const path = resolve(root ?? defaultRoot());
  if (root === undefined) await ownDirectory(dirname(path));
  const opened = await openDirectory(path);
  return namespace === undefined ? opened : await openDirectory(join(opened.own, `${OF}${namespace}`));
}

/**
 * Returns the directories that contain workspaces: the root itself, and a directory below it for each namespace. `localRuntime` takes
 * each of them as its `root`. Returns none if the root does not exist.
 * @param root Defaults to the root of runtimes that were given none.
 */
export async function localRoots(root: string = defaultRoot()): Promise<readonly string[]> {
  const path = resolve(root);
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (!exists) return [];
  const own = join(path, OWN);
  // A root that no runtime has used yet has no such directory.
  const names = await readdir(own).catch((): string[] => []);
  return [path, ...names.filter((name) => name.startsWith(OF)).map((name) => join(own, name))];
}

const OWN = ".skillwright";
const OF = "of-";

async function openDirectory(path: string): Promise<RuntimeRoot> {
  // Every sandboxed command sees what is below /usr.
  if (/^\/usr(\/|$)/.test(path)) throw unusable(path, "it is below /usr");
  await mkdir(dirname(path), { recursive: true });
  await ownDirectory(path);
  const own = join(await realpath(path), OWN);
  await ownDirectory(own);
  const registry = join(own, "registry");
  await ownDirectory(registry);
  await sweepRoot(dirname(own));
  sweepRegistry(registry);
  return { path: dirname(own), own, registry };
}

/** @throws SkillError `CONFIG_INVALID`. */
export function checkNamespace(namespace: string | undefined): void {
  if (namespace === undefined || /^[A-Za-z0-9_-]{1,64}$/.test(namespace)) return;
  throw new SkillError(
    "CONFIG_INVALID",
    `The option namespace of the local runtime cannot be ${JSON.stringify(namespace)}: it must be 1 to 64 letters, digits, - and _.`,
    { details: { option: "namespace" } },
  );
}

function defaultRoot(): string {
  return join(tmpdir(), `skillwright-${process.geteuid?.() ?? "user"}`, "workspaces");
}

/** @throws SkillError `CONFIG_INVALID` if the working directory was removed. */
function ofWorkingDirectory(): string {
  try {
    return `dir-${createHash("sha256").update(realpathSync(process.cwd())).digest("hex").slice(0, 16)}`;
  } catch (error) {
    throw new SkillError(
      "CONFIG_INVALID",
      "The local runtime has neither root nor namespace, and the working directory, from which its namespace would be made, does not exist. Give one of both.",
      { cause: error },
    );
  }
}

async function ownDirectory(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw unusable(path, `it cannot be created (${error.code})`, error);
  });
  const found = await lstat(path);
  if (!found.isDirectory()) throw unusable(path, "it is not a directory");
  if (process.geteuid && found.uid !== process.geteuid())
    throw unusable(path, `it belongs to user ${found.uid}`);
  if (process.geteuid && (found.mode & 0o022) !== 0) throw unusable(path, "other users can write to it");
  if (isRoot() && (found.mode & 0o011) !== 0o011) await chmod(path, (found.mode & 0o7777) | 0o011);
}

function unusable(path: string, why: string, cause?: unknown): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `Workspaces cannot be stored in ${path}: ${why}. Give localRuntime another root, such as a new directory in a ` +
      "folder that only you can write to.",
    { cause, details: { root: path } },
  );
}
