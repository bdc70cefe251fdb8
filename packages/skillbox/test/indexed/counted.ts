import type { MetadataIndex, WritableSkillRepository } from "@skillwright/core";
import { SkillError } from "@skillwright/core";
import type { IndexChange } from "@skillwright/core/adapter";
import { memoryRepository } from "@skillwright/repository-memory";
import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { skillFile, skillFiles } from "../skill-file.js";

/** A repository and an index that record calls, and fail or wait where a test says so. */
export function counted(...names: string[]) {
  return countedOver(memoryRepository({ skills: skillFiles(...names) }));
}

export function countedOver(memory: WritableSkillRepository) {
  const plain = memoryIndex();
  const asked: string[] = [];
  const failing = { read: false, write: false };
  const hooks: { beforeWrite?: ((change: IndexChange) => Promise<void>) | undefined } = {};

  const repository: WritableSkillRepository = {
    ...memory,
    list: (options) => {
      asked.push("list");
      return memory.list(options);
    },
    load: (name, options) => {
      asked.push(`load ${name}`);
      return memory.load(name, options);
    },
  };

  const index: MetadataIndex = {
    ...plain,
    read: async (options) => {
      asked.push("read");
      if (failing.read) throw new SkillError("BACKEND_FAILED", "The index is down.");
      return await plain.read(options);
    },
    write: async (change, options) => {
      asked.push("write");
      if (failing.write) throw new SkillError("BACKEND_FAILED", "The index is down.");
      const { beforeWrite } = hooks;
      hooks.beforeWrite = undefined;
      await beforeWrite?.(change);
      return await plain.write(change, options);
    },
  };

  /** The calls since the last time. */
  const asks = (): string[] => asked.splice(0);
  return { memory, repository, plain, index, failing, hooks, asks };
}

export function uploadOf(name: string, body?: string) {
  return [{ path: "SKILL.md", content: skillFile(name, undefined, body)["SKILL.md"] }];
}

export function namesOf({ skills }: { readonly skills: readonly { readonly name: string }[] }): string[] {
  return skills.map(({ name }) => name);
}
