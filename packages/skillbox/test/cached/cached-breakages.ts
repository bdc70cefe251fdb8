import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Breakages } from "@skillwright/contracts";
import { type Skill, SkillError, type SkillReader } from "@skillwright/core";
import { cached } from "@skillwright/skillbox";
import type { CachedSubject } from "./cached-subject.js";

type Make = CachedSubject["cached"];
type Made = ReturnType<Make>;

/** For each promise, a cache that breaks it. */
export const cachedBreakages: Breakages<CachedSubject> = {
  "cached/warm": making((_, repository) => ({ load: (name, options) => repository.load(name, options) })),
  "cached/second-process": broken((repository, { name, ...options }) => cached(repository, options)),
  "cached/changed": making((made) => {
    const seen = new Map<string, Promise<Skill>>();
    return {
      load: (name) => {
        const skill = seen.get(name) ?? made.load(name);
        seen.set(name, skill);
        return skill;
      },
    };
  }),
  "cached/checked": broken((repository, options) => {
    const made = cached(repository, options);
    /** Reads the stored content without verifying it. */
    const reader = async (name: string): Promise<SkillReader> => {
      const { digest } = await made.load(name);
      const lease = await options.content.find({ digest }, { owner: "w" });
      return async (path) => await readFile(join(lease?.directory ?? "", path));
    };
    return { ...made, reader };
  }),
  "cached/failing-repository": making((made) => {
    const seen = new Map<string, Skill>();
    return {
      load: async (name) => {
        const skill = await made.load(name).catch(() => seen.get(name));
        if (!skill) throw new SkillError("SKILL_NOT_FOUND", "Nothing is stored.");
        seen.set(name, skill);
        return skill;
      },
    };
  }),
  "cached/broken-load": making((made) => ({
    load: (name) =>
      made.load(name).catch(() => {
        throw new SkillError("SKILL_NOT_FOUND", "It is not listed.");
      }),
  })),
  "cached/staging": broken((repository, options) => {
    const made = cached(repository, options);
    const reader: Made["reader"] = async (name, given) => {
      await made.load(name, given);
      return await made.reader(name, given);
    };
    return { ...made, reader };
  }),
  "cached/leased": broken((repository, options) => cached(repository, { ...options, limits: {} })),
  "cached/pinned/digest": making((made, repository) => ({
    load: (name, options) => (options?.version ? repository.load(name, options) : made.load(name)),
  })),
  "cached/pinned/refused": making((made) => ({
    load: (name, options) => made.load(name, options).catch(() => made.load("alpha")),
  })),
  "cached/pinned/version": broken((repository, { name, ...options }) => cached(repository, options)),
  "cached/failing-store": making((_, repository) => ({
    load: (name, options) => repository.load(name, options),
  })),
  "cached/torn": making((made) => ({
    load: async (name) => ({ ...(await made.load(name)), diagnostics: [] }),
  })),
};

function broken(make: Make): (subject: CachedSubject) => CachedSubject {
  return (subject) => ({ ...subject, cached: make });
}

function making(
  changed: (made: Made, repository: Parameters<Make>[0]) => Partial<Made>,
): (subject: CachedSubject) => CachedSubject {
  return broken((repository, options) => {
    const made = cached(repository, options);
    return { ...made, ...changed(made, repository) };
  });
}
