import { SkillError } from "@skillwright/core";
import { checkAborted, type GetManyOptions, type RequestedFile } from "@skillwright/core/adapter";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { archivedFiles } from "./archived-files.js";
import { layoutPath, READABLE_ROOTS, rootOf } from "./layout-path.js";
import { type OpenFile, openFile } from "./open-file.js";

/** Maximum number of files searched in one archive. */
const MAX_BATCH = 5000;

/**
 * Yields files in the order of the paths. Several files below one of the workspace's directories are read from one
 * archive of it. The others are requested separately, which also gives the reason for a failure.
 * @throws SkillError `WORKSPACE_NOT_FOUND`, `BACKEND_FAILED`, `ABORTED`.
 */
export async function* getMany(
  container: WorkspaceContainer,
  paths: Iterable<string>,
  options: GetManyOptions = {},
): AsyncGenerator<RequestedFile, void, undefined> {
  checkAborted(options.signal);
  for (const batch of batches(paths)) {
    const root = rootOf(batch[0] ?? "");
    if (batch.length > 1) yield* together(container, root, batch, options);
    else for (const path of batch) yield* alone(container, path, options);
  }
}

/** Consecutive paths in the same directory of the workspace. */
function* batches(paths: Iterable<string>): Generator<readonly string[], void, undefined> {
  let batch: string[] = [];
  let root: string | undefined;
  for (const path of paths) {
    const own = isFetched(path) ? rootOf(path) : undefined;
    if (batch.length > 0 && (own === undefined || own !== root || batch.length >= MAX_BATCH)) {
      yield batch;
      batch = [];
    }
    root = own;
    batch.push(path);
  }
  if (batch.length > 0) yield batch;
}

function isFetched(path: string): boolean {
  try {
    return layoutPath(path, READABLE_ROOTS).includes("/");
  } catch {
    return false;
  }
}

async function* together(
  container: WorkspaceContainer,
  root: string,
  paths: readonly string[],
  options: GetManyOptions,
): AsyncGenerator<RequestedFile, void, undefined> {
  await using archived = await archivedFiles(container, root, paths, options);
  for (const path of paths) {
    checkAborted(options.signal);
    const content = archived.content(path);
    if (content) yield { path, content };
    else yield* alone(container, path, options);
  }
}

async function* alone(
  container: WorkspaceContainer,
  path: string,
  options: GetManyOptions,
): AsyncGenerator<RequestedFile, void, undefined> {
  const opened = await openedOrNot(container, path, options);
  if (SkillError.is(opened)) return yield { path, error: opened };
  try {
    yield { path, content: opened.content };
  } finally {
    opened.close();
  }
}

async function openedOrNot(
  container: WorkspaceContainer,
  path: string,
  options: GetManyOptions,
): Promise<OpenFile | SkillError> {
  try {
    return await openFile(container, layoutPath(path, READABLE_ROOTS), options);
  } catch (error) {
    if (isOfFile(error)) return error;
    throw error;
  }
}

/** True where the error concerns only this file. */
function isOfFile(error: unknown): error is SkillError {
  if (!SkillError.is(error)) return false;
  return ["FILE_NOT_FOUND", "PATH_OUTSIDE", "PATH_INVALID"].includes(error.code) || "path" in error.details;
}
