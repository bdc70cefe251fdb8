import { join } from "node:path";
import type {
  MetadataIndex,
  SkillRepository,
  VersionedSkillRepository,
  WritableSkillRepository,
} from "@skillwright/core";
import { fsContentStore, fsRepository } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { cached, indexed, layered } from "@skillwright/skillbox";

/** What a combinator needs besides the repository; new for every promise. */
export interface Surroundings {
  /** A temporary directory. */
  readonly root: string;
  readonly index: () => MetadataIndex;
}

type Able = "upload" | "delete" | "versions";
type Combined<Repository> = SkillRepository & Pick<Repository, keyof Repository & Able>;

export interface Combinator {
  readonly name: string;
  /** False where the repository is not the first layer, so that uploads go elsewhere. */
  readonly keepsUploads: boolean;
  readonly combine: <Repository extends SkillRepository>(
    repository: Repository,
    surroundings: Surroundings,
  ) => Combined<Repository>;
}

/** With an index that every call builds or reads. */
export const withIndex: readonly Combinator[] = [
  kept("indexed", (repository, { index }) => indexed(repository, index())),
  kept("cached(indexed)", (repository, { index, root }) =>
    cached(indexed(repository, index()), { content: contentIn(root), name: "it" }),
  ),
  {
    name: "layered(fs, cached(indexed))",
    keepsUploads: false,
    combine: (repository, { index, root }) => {
      const far = cached(indexed(repository, index()), { content: contentIn(root), name: "it" });
      // Local files over a remote source, as in a project with its team's skills.
      return layered(fsRepository({ root: join(root, "own") }), far) as never;
    },
  },
];

export const withoutIndex: readonly Combinator[] = [
  kept("layered, first", (repository) => layered(repository, memoryRepository())),
  {
    name: "layered, last",
    keepsUploads: false,
    combine: (repository) => layered(memoryRepository(), repository) as never,
  },
  kept("cached", (repository, { root }) => cached(repository, { content: contentIn(root) })),
  kept("cached, each call by another process", (repository, { root }) => manyProcesses(repository, root)),
];

/** Selects some of them. @throws Error for an unknown name. */
export function named(...names: readonly string[]): readonly Combinator[] {
  return names.map((wanted) => {
    const found = [...withoutIndex, ...withIndex].find(({ name }) => name === wanted);
    if (!found) throw new Error(`There is no combinator "${wanted}".`);
    return found;
  });
}

function contentIn(root: string) {
  return fsContentStore({ root: join(root, "content") });
}

/** Memory is empty, so everything possible comes from the content store. */
function manyProcesses<Repository extends SkillRepository>(repository: Repository, root: string): Repository {
  const process = () => cached(repository, { content: contentIn(root), name: "it" });
  return {
    ...repository,
    load: async (name, options) => await process().load(name, options),
    open: async (name, path, options) => await process().open(name, path, options),
    reader: async (name, options) => await process().reader(name, options),
  } satisfies SkillRepository & Repository;
}

/** The types of combinators are tested separately; here they are cast as needed. */
function kept(
  name: string,
  combine: (
    repository: WritableSkillRepository & VersionedSkillRepository,
    surroundings: Surroundings,
  ) => WritableSkillRepository & VersionedSkillRepository,
): Combinator {
  return { name, keepsUploads: true, combine: combine as never };
}
