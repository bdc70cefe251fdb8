import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type ByteStream, type CollectedFile, containedPath, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { OpenWorkspace } from "./upload-files.js";

/** Where an output was put, or why it was not. */
export type CopiedOutput = { readonly target: string } | { readonly error: SkillError };

/**
 * Copies the files into the folder, without their leading `out/`; an existing file is replaced atomically. Links are
 * never written through, because the folder may be an untrusted checkout. A file that cannot be copied does not stop the others.
 * @throws SkillError `ABORTED`.
 */
export async function copyOutputs(
  files: readonly CollectedFile[],
  root: string,
  { workspaces, id, context: { signal } }: OpenWorkspace,
): Promise<readonly CopiedOutput[]> {
  const copied: CopiedOutput[] = [];
  for (const { path } of files)
    try {
      copied.push({ target: await copyOutput(path, root, () => workspaces.download(id, path, { signal })) });
    } catch (error) {
      checkAborted(signal);
      copied.push({ error: SkillError.from(error, `Copying ${path}`) });
    }
  return copied;
}

async function copyOutput(path: string, root: string, download: () => Promise<ByteStream>): Promise<string> {
  const target = join(root, containedPath(path.replace(/^out\//, "")));
  await makeInside(root, dirname(target));
  const part = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.part`);
  try {
    await pipeline(await download(), createWriteStream(part, { flags: "wx" }));
    await rename(part, target);
    return target;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
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
