import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type ByteStream, type CallOptions, containedPath, SkillError } from "@skillwright/core";
import { abortable, type FileEntry, ifThere, SKILL_LINKS, type StagedSkill } from "@skillwright/core/adapter";
import { type ArchiveOwner, type ArchiveWriter, ROOT_OWNER } from "../files/archive-writer.js";

const FILES_A_TURN = 50;
const AT_ONCE_BYTES = 1024 * 1024;

/**
 * Adds a skill's files to an archive, with the links of `SKILL_LINKS` where it has no entry of that name. The files
 * belong to root and are so read-only for every run, or belong to `writer`.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`, `INPUT_INVALID` for a missing directory; what the files throw.
 */
export async function addSkill(
  archive: ArchiveWriter,
  skill: StagedSkill,
  to: string,
  { signal, writer }: CallOptions & { writer?: ArchiveOwner | undefined } = {},
): Promise<void> {
  const owner = writer ?? ROOT_OWNER;
  // Root, without capabilities, can remove only entries of directories that it owns.
  const open = writer ? 0o777 : 0o755;
  const made = new Set<string>([""]);
  archive.directory(to, ROOT_OWNER, open);
  const files = skill.directory === undefined ? skill.files() : directoryFiles(skill.name, skill.directory);
  for await (const { path, content, executable } of abortable(files, signal)) {
    const parts = containedPath(path).split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const directory = parts.slice(0, depth).join("/");
      if (!made.has(directory)) archive.directory(`${to}/${directory}`, ROOT_OWNER, open);
      made.add(directory);
    }
    made.add(path);
    await archive.file(`${to}/${path}`, content, owner, executable ? 0o755 : 0o644);
  }
  for (const [name, target] of Object.entries(SKILL_LINKS))
    if (!made.has(name)) archive.link(`${to}/${name}`, target, ROOT_OWNER);
}

/** Reads synchronously and yields in between: a thread pool call for each file takes far longer. */
async function* directoryFiles(skill: string, directory: string): AsyncGenerator<FileEntry, void, undefined> {
  const found =
    directory.startsWith("/") || /^[A-Za-z]:[\\/]/.test(directory)
      ? await ifThere(lstat(directory))
      : undefined;
  if (!found?.isDirectory()) throw noDirectory(skill, directory);
  const ahead = [""];
  let looked = 0;
  for (let below = ahead.shift(); below !== undefined; below = ahead.shift()) {
    for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (++looked % FILES_A_TURN === 0) await setImmediate();
      if (entry.isDirectory()) ahead.push(path);
      // The links are created separately; the directory of a skill contains nothing else but files.
      else if (entry.isFile()) yield directoryFile(join(directory, path), path);
    }
  }
}

function directoryFile(source: string, path: string): FileEntry {
  const { size, mode } = lstatSync(source);
  const content = size <= AT_ONCE_BYTES ? readFileSync(source) : largeFile(source);
  return { path, content, executable: (mode & 0o100) !== 0 };
}

async function* largeFile(path: string): ByteStream {
  const handle = await open(path);
  yield* handle.createReadStream({ autoClose: true }) as AsyncIterable<Uint8Array>;
}

function noDirectory(skill: string, directory: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `The skill "${skill}" cannot be staged from ${directory}: it is not the absolute path of a directory.`,
    { details: { skill, directory } },
  );
}
