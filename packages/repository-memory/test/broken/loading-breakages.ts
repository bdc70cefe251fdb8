import assert from "node:assert/strict";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Breakages, RepositorySubject } from "@skillwright/contracts";
import {
  byteStream,
  readBytes,
  readText,
  type Skill,
  SkillError,
  type SkillReader,
  type SkillRepository,
} from "@skillwright/core";
import { overriding } from "./listing-breakages.js";

const MANY = 100_000_000;

export const loadingBreakages: Breakages<RepositorySubject> = {
  "skill-repository/load/body": loaded((skill) => ({ ...skill, body: `\n${skill.body}\n` })),
  "skill-repository/load/manifest": loaded((skill) => {
    // Sorted as text and not as bytes: another order for characters beyond the first 65,536.
    const files = [...skill.manifest.files].sort((a, b) => (a.path < b.path ? -1 : 1));
    return { ...skill, manifest: { formatVersion: 1, files } };
  }),
  "skill-repository/load/digest": loaded((skill) => ({ ...skill, digest: `sha256:${skill.path}` })),
  "skill-repository/load/nested": loaded((skill) => {
    const files = skill.manifest.files.filter(({ path }) => !path.includes("/"));
    return { ...skill, manifest: { formatVersion: 1, files } };
  }),
  "skill-repository/load/like-listed": loaded((skill) => ({ ...skill, changeMark: "another" })),
  "skill-repository/load/by-path": overriding((repository) => ({
    load: async (name, options) => {
      const { skills } = await repository.list();
      return await repository.load(skills.some((skill) => skill.name === name) ? name : "missing", options);
    },
  })),
  "skill-repository/load/name-before-path": overriding((repository) => ({
    load: async (name, options) => {
      const { skills } = await repository.list();
      const found = skills.find(({ path }) => path === name);
      const loadedByName = await repository.load(name, options);
      return found ? { ...loadedByName, ...found } : loadedByName;
    },
  })),
  "skill-repository/load/first-path": overriding((repository) => ({
    load: async (name) => {
      const { skills } = await repository.list();
      return await repository.load(skills.filter((skill) => skill.name === name).at(-1)?.path ?? name);
    },
  })),
  "skill-repository/load/missing": overriding((repository) => ({
    load: async (name) => {
      const { skills } = await repository.list();
      return await repository.load(skills.find((skill) => skill.name.startsWith(name))?.path ?? name);
    },
  })),
  "skill-repository/load/unknown-version": overriding((repository) => ({
    load: (name, { signal } = {}) => repository.load(name, { signal }),
  })),
  "skill-repository/load/broken": overriding((repository) => ({
    load: async (name) => {
      const { broken } = await repository.list();
      return await repository.load(broken.some(({ path }) => path === name) ? "missing" : name);
    },
  })),
  "skill-repository/load/own": overriding((repository) => {
    const shared = new Map<string, Skill>();
    return {
      load: async (name) => {
        const skill = shared.get(name) ?? (await repository.load(name));
        shared.set(name, skill);
        return skill;
      },
    };
  }),
  "skill-repository/load/aborted": overriding((repository) => ({ load: (name) => repository.load(name) })),

  "skill-repository/open/bytes": overriding((repository) => ({
    open: async (name, path) => byteStream(await readText(await repository.open(name, path), MANY)),
  })),
  "skill-repository/open/large": overriding((repository) => ({
    open: async (name, path) => byteStream((await contentOf(repository, name, path)).slice(0, 1_000_000)),
  })),
  "skill-repository/open/missing": overriding((repository) => ({
    open: (name, path) =>
      repository.open(name, path).catch(insteadOf("FILE_NOT_FOUND", () => byteStream(""))),
  })),
  "skill-repository/open/unknown-skill": overriding((repository) => ({
    open: (name, path) => repository.open(name, path).catch(insteadOf("SKILL_NOT_FOUND", fileNotFound)),
  })),
  "skill-repository/open/hostile-paths": overriding((repository) => ({
    open: (name, path) => repository.open(name, posix.join("/", path).slice(1).replace(/\W/g, "_") || "_"),
  })),
  "skill-repository/open/own": overriding((repository) => {
    const shared = new Map<string, Uint8Array>();
    return {
      open: async (name, path) => {
        const bytes = shared.get(path) ?? (await contentOf(repository, name, path));
        shared.set(path, bytes);
        return byteStream(bytes);
      },
    };
  }),
  "skill-repository/open/aborted": overriding((repository) => ({
    open: (name, path) => repository.open(name, path),
  })),
  "skill-repository/reader/bytes": reading((read) => async (path) => {
    const bytes = await readBytes(await read(path), MANY);
    return bytes.slice(0, 100_000);
  }),
  "skill-repository/reader/refused": reading((read) => async (path) => {
    return await read(path).catch(insteadOf("FILE_NOT_FOUND", () => ""));
  }),
  "skill-repository/reader/own": reading((read) => {
    const shared = new Map<string, Uint8Array>();
    return async (path) => {
      const bytes = shared.get(path) ?? (await readBytes(await read(path), MANY));
      shared.set(path, bytes);
      return bytes;
    };
  }),
  "skill-repository/reader/locations": reading((read) => {
    const locations = async () => new Map([["SKILL.md", fileURLToPath(import.meta.url)]]);
    return Object.assign((path: string) => read(path), { locations });
  }),
  "skill-repository/reader/aborted": overriding((repository) => ({
    reader: async (name) => (await repository.reader?.(name)) ?? assert.fail("There is no reader."),
  })),
  "skill-repository/label": overriding(() => ({ label: "" })),
  "skill-repository/close/twice": overriding(() => ({ close: closingOnce() })),
};

function reading(
  changed: (read: SkillReader) => SkillReader,
): (subject: RepositorySubject) => RepositorySubject {
  return overriding((repository) => ({
    reader: async (name, options) =>
      changed((await repository.reader?.(name, options)) ?? assert.fail("There is no reader.")),
  }));
}

/** A `close` that fails at the second call. */
export function closingOnce(): () => Promise<void> {
  let isClosed = false;
  return async () => {
    if (isClosed) throw new SkillError("CLOSED", "It was closed before.");
    isClosed = true;
  };
}

function loaded(changed: (skill: Skill) => Skill): (subject: RepositorySubject) => RepositorySubject {
  return overriding((repository) => ({
    load: async (name, options) => changed(await repository.load(name, options)),
  }));
}

async function contentOf(repository: SkillRepository, name: string, path: string): Promise<Uint8Array> {
  return await readBytes(await repository.open(name, path), MANY);
}

function insteadOf<T>(code: SkillError["code"], give: () => T): (error: unknown) => T {
  return (error) => {
    if (!SkillError.is(error, code)) throw error;
    return give();
  };
}

function fileNotFound(): never {
  throw new SkillError("FILE_NOT_FOUND", "There is no such file.");
}
