import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openArchive } from "@skillwright/archive";
import { type Disposing, type SkillSeed, skillRepositoryPromises } from "@skillwright/contracts";
import type { SkillRepository, WritableSkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { gitRepository } from "@skillwright/repository-git";
import { httpRepository } from "@skillwright/repository-http";
import { memoryRepository } from "@skillwright/repository-memory";
import { temporaryDirectory, writeSkills } from "../../../repository-fs/test/fs-subject.js";
import { origin } from "../../../repository-git/test/git-subject.js";
import { publishedIndex } from "../../../repository-http/test/published.js";
import { webServer } from "../../../repository-http/test/web-server.js";
import { replaceAll } from "../replace-all.js";

/** A repository that contains the seed, and a way to change its storage directly. */
export interface Adapted<Repository extends SkillRepository> extends Disposing {
  readonly repository: Repository;
  change(skills: SkillSeed): Promise<void>;
}

export interface Adapter<Repository extends SkillRepository = SkillRepository> {
  readonly name: string;
  readonly create: (seed: SkillSeed) => Promise<Adapted<Repository>>;
  /** Promises of a readable repository that do not apply to it, with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}

export const memory: Adapter<WritableSkillRepository> = {
  name: "memory",
  create: async (seed) => {
    const repository = memoryRepository({ skills: seed });
    return { repository, change: (skills) => replaceAll(repository, skills) };
  },
};

export const fs: Adapter<WritableSkillRepository> = {
  name: "fs",
  create: async (seed) => {
    const { root, dispose } = await temporaryDirectory();
    const skills = join(root, "skills");
    await writeSkills(skills, seed);
    const change = async (changed: SkillSeed): Promise<void> => {
      await rm(skills, { recursive: true });
      await writeSkills(skills, changed);
    };
    return { repository: fsRepository({ root: skills }), change, dispose };
  },
};

export const git: Adapter = {
  name: "git",
  create: async (seed) => {
    const { directory, cache, commit, dispose } = await origin(seed);
    const repository = gitRepository({ url: directory, cache, allowLocal: true });
    return { repository, change: async (skills) => void (await commit(skills)), dispose };
  },
};

export const http: Adapter = {
  name: "http",
  create: async (seed) => {
    const server = await webServer(await publishedIndex(seed));
    const repository = httpRepository({
      url: `${server.origin}/`,
      openArchive,
      allowHttp: true,
      allowPrivate: true,
    });
    return {
      repository,
      change: async (skills) => {
        server.pages = await publishedIndex(skills);
      },
      dispose: async () => {
        await repository.close();
        await server.close();
      },
    };
  },
  skip: unpublishable(),
};

/** An index has names in place of paths. */
function unpublishable(): Record<string, string> {
  const isName = (path: string): boolean => /^[a-z0-9-]+$/.test(path);
  const outer = (seed: SkillSeed): string[] =>
    Object.keys(seed).filter((path) => !Object.keys(seed).some((other) => path.startsWith(`${other}/`)));
  const others = skillRepositoryPromises.filter(({ seed }) => !outer(seed).every(isName));
  return Object.fromEntries(others.map(({ id }) => [id, "an index has names, not paths"]));
}
