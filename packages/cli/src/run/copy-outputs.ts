import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type CollectedFile, containedPath, SkillError } from "@skillwright/core";
import type { OpenWorkspace } from "./upload-files.js";

/**
 * Copies the files into the folder, without their leading `out/`; an existing file is replaced atomically. Links are
 * never written through, because the folder may be an untrusted checkout. Returns the absolute paths, in the same
 * order.
 * @throws SkillError `PATH_OUTSIDE` where a folder on the way is a link that leads out.
 */
export async function copyOutputs(
  files: readonly CollectedFile[],
  folder: string,
  { workspaces, id, context }: OpenWorkspace,
): Promise<readonly string[]> {
  const root = resolve(context.cwd, folder);
  await mkdir(root, { recursive: true });
  const copied: string[] = [];
  for (const { path } of files) {
    const target = join(root, containedPath(path.replace(/^out\//, "")));
    await makeInside(root, dirname(target));
    const part = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.part`);
    try {
      const content = await workspaces.download(id, path, { signal: context.signal });
      await pipeline(content, createWriteStream(part, { flags: "wx" }));
      await rename(part, target);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    copied.push(target);
  }
  return copied;
}

async function makeInside(root: string, directory: string): Promise<void> {
  const real = await realpath(root);
  let current = root;
  for (const part of relative(root, directory).split(sep).filter(Boolean)) {
    current = join(current, part);
    await mkdir(current).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const led = await realpath(current);
    if (!led.startsWith(real + sep))
      throw new SkillError(
        "PATH_OUTSIDE",
        `${current} is a symlink that leads out of ${root}. Give another --out folder.`,
      );
  }
}
