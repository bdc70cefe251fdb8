import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type SeedFile, type SkillSeed, skillMarkdown } from "@skillwright/contracts";
import type { SkillRepository } from "@skillwright/core";

/** A real Git repository, with methods that commit to it. */
export interface Origin {
  readonly root: string;
  /** Path of the repository. */
  readonly directory: string;
  /** A cache directory that does not exist yet. */
  readonly cache: string;
  /** Runs the system's git in the repository, without settings of the user. Returns its output, trimmed. */
  git(...args: readonly string[]): string;
  /** Writes an object unchanged, even if git would refuse to create it; returns its id. */
  store(type: "blob" | "tree", content: Uint8Array): string;
  /** Makes the repository hold exactly these skills, in a new commit; returns its id. */
  commit(skills: SkillSeed): Promise<string>;
  dispose(): Promise<void>;
}

const ENVIRONMENT = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  LC_ALL: "C",
};

export async function origin(seed?: SkillSeed, format = "sha1"): Promise<Origin> {
  // With a blank in the path, as in many users' directories.
  const root = await mkdtemp(join(tmpdir(), "skillwright test-"));
  const directory = join(root, "origin");
  const git: Origin["git"] = (...args) =>
    execFileSync("git", ["-C", directory, ...args], {
      env: ENVIRONMENT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();

  const store: Origin["store"] = (type, content) =>
    execFileSync("git", ["-C", directory, "hash-object", "-t", type, "-w", "--literally", "--stdin"], {
      env: ENVIRONMENT,
      encoding: "utf8",
      input: content,
    }).trim();

  async function commit(skills: SkillSeed): Promise<string> {
    for (const name of await readdir(directory))
      if (name !== ".git") await rm(join(directory, name), { recursive: true });
    for (const [path, files] of Object.entries(skills))
      for (const [file, content] of Object.entries(files))
        await writeSeedFile(join(directory, path, file), content);
    git("add", "--all", "--force");
    git("commit", "--quiet", "--allow-empty", "--message", "change");
    return await head();
  }

  /** Same result as `git rev-parse HEAD`, without another process. */
  async function head(): Promise<string> {
    const read = async (name: string) => (await readFile(join(directory, ".git", name), "utf8")).trim();
    const text = await read("HEAD");
    return text.startsWith("ref: ") ? await read(text.slice(5)) : text;
  }

  await mkdir(directory);
  // Without the sample hooks, which make up most of a new repository.
  git("init", "--quiet", "--template=", "--initial-branch=main", `--object-format=${format}`);
  if (seed) await commit(seed);
  const dispose = async (): Promise<void> => await rm(root, { recursive: true, force: true });
  return { root, directory, cache: join(root, "cache"), git, store, commit, dispose };
}

async function writeSeedFile(path: string, file: SeedFile): Promise<void> {
  const { content, executable = false } =
    typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, executable ? 0o755 : 0o644);
}

export async function names(repository: SkillRepository): Promise<string[]> {
  return (await repository.list()).skills.map(({ name }) => name);
}

/** The single directory that the cache has for an address. */
export async function cacheOf({ cache }: Origin): Promise<string> {
  const [only = "", ...others] = await readdir(cache);
  if (others.length > 0) throw new Error("The cache has more than one address.");
  return join(cache, only);
}

export function skill(name: string): SkillSeed {
  return { [name]: { "SKILL.md": skillMarkdown(name), "a.txt": name } };
}
