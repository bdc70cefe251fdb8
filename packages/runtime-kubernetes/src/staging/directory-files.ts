import { createReadStream, lstatSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import type { FileEntry } from "@skillwright/core/adapter";

const FILES_A_TURN = 50;
const AT_ONCE_BYTES = 1024 * 1024;

/**
 * The files of a skill's directory on this machine. Its links are created separately.
 * @throws SkillError `INPUT_INVALID` where it is not the absolute path of a directory.
 */
export async function* directoryFiles(
  skill: string,
  directory: string,
): AsyncGenerator<FileEntry, void, undefined> {
  if (!isAbsolute(directory) || !lstatSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw noDirectory(skill, directory);
  const ahead = [""];
  let looked = 0;
  for (let below = ahead.shift(); below !== undefined; below = ahead.shift())
    for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (++looked % FILES_A_TURN === 0) await setImmediate();
      if (entry.isDirectory()) ahead.push(path);
      else if (entry.isFile()) yield fileIn(join(directory, path), path);
    }
}

function fileIn(source: string, path: string): FileEntry {
  const { size, mode } = lstatSync(source);
  const content = size <= AT_ONCE_BYTES ? readFileSync(source) : createReadStream(source);
  return { path, content, executable: (mode & 0o100) !== 0 };
}

function noDirectory(skill: string, directory: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `The skill "${skill}" cannot be staged from ${directory}: it is not the absolute path of a directory.`,
    { details: { skill, directory } },
  );
}
