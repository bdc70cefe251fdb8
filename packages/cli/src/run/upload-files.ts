import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { SkillError, type Workspaces } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { formatBytes } from "../terminal/amounts.js";

export interface OpenWorkspace {
  readonly workspaces: Workspaces;
  readonly id: string;
  readonly context: CliContext;
}

/**
 * Copies the files into the workspace, where the command finds them at `inputs/`.
 * @throws SkillError `FILE_NOT_FOUND` for a missing file or one that is not regular.
 */
export async function uploadFiles(
  files: readonly string[],
  { workspaces, id, context }: OpenWorkspace,
): Promise<void> {
  const { cwd, signal, errorStyle } = context;
  for (const file of files) {
    const path = resolve(cwd, file);
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
      (cause: unknown) => {
        throw noFile(path, cause);
      },
    );
    if (!(await handle.stat()).isFile()) throw noFile(path);
    const content = handle.createReadStream({ autoClose: false });
    const { skillPath, size } = await workspaces.upload(id, basename(path), content, { signal });
    context.remark(errorStyle.dim(`  put   ${skillPath} (${formatBytes(size)})`));
  }
}

function noFile(path: string, cause?: unknown): SkillError {
  const message = `${path} is not a readable regular file. Correct the path.`;
  return new SkillError("FILE_NOT_FOUND", message, cause === undefined ? {} : { cause });
}
