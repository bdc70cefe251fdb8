import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { Minimatch } from "minimatch";
import { SKIPPED_FOLDERS } from "./skipped-folders.js";

/**
 * Finds SKILL.md files (in any case) below the paths: absolute, sorted, each once. A path is a file, a folder at any
 * depth above skills, or a pattern such as `skills/*` for shells that do not expand it. Linked folders are not
 * followed.
 * @throws SkillError `FILE_NOT_FOUND` for a missing path, `INPUT_INVALID` for a pattern that is too long.
 */
export async function findSkillFiles(paths: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) for (const file of await filesOf(path, cwd)) found.add(file);
  return [...found].sort();
}

async function filesOf(path: string, cwd: string): Promise<readonly string[]> {
  const absolute = resolve(cwd, path);
  const status = await ifThere(stat(absolute));
  if (status?.isDirectory()) return below(absolute);
  if (status?.isFile()) return [absolute];
  if (/[*?[{]/.test(path)) return matching(path, cwd);
  throw new SkillError(
    "FILE_NOT_FOUND",
    `${absolute} does not exist. Give a skill's folder, a SKILL.md or a folder above.`,
  );
}

async function below(directory: string): Promise<readonly string[]> {
  const files: string[] = [];
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(directory, entry.name);
    // A folder or a pipe named SKILL.md is returned, too: reading it later fails with the reason.
    if (entry.name.toLowerCase() === "skill.md") files.push(path);
    else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) files.push(...(await inFolder(path)));
  }
  return files;
}

/** A folder that cannot be read may be a skill. Its SKILL.md is returned, so that reading it reports the reason. */
async function inFolder(path: string): Promise<readonly string[]> {
  return await below(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EACCES" || error.code === "EPERM") return [join(path, "SKILL.md")];
    // The folder was removed meanwhile.
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

/** Matching files, and files below matching folders. */
async function matching(pattern: string, cwd: string): Promise<readonly string[]> {
  if (pattern.length > 1000)
    throw new SkillError(
      "INPUT_INVALID",
      "A glob pattern is longer than 1,000 characters. Give folders instead.",
    );
  const parts = pattern.split("/");
  const plain = parts.slice(
    0,
    parts.findIndex((part) => /[*?[{]/.test(part)),
  );
  const base = resolve(cwd, plain.join("/") || (pattern.startsWith("/") ? "/" : "."));
  const matcher = new Minimatch(resolve(cwd, base, parts.slice(plain.length).join("/")), {
    dot: true,
    noext: true,
  });
  const files = (await ifThere(below(base))) ?? [];
  return files.filter((file) => ancestors(file, base).some((path) => matcher.match(path)));
}

function ancestors(file: string, base: string): string[] {
  const paths = [file];
  for (let path = dirname(file); path.length > base.length; path = dirname(path)) paths.push(path);
  return paths;
}
