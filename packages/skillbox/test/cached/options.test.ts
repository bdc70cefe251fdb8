import type {
  Closable,
  ContentStore,
  VersionedSkillRepository,
  WatchableSkillRepository,
} from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { cached, indexed } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { skillFiles } from "../skill-file.js";
import { ALPHA, cachedSubject, textOf } from "./cached-subject.js";
import { countedRepository } from "./counted-repository.js";

const content = {} as ContentStore;

test("limits that are not whole numbers from 1, and empty texts, are CONFIG_INVALID", () => {
  for (const value of [0, -1, 1.5, Number.NaN])
    for (const limits of [{ skills: value }, { bytes: value }])
      expect(() => cached(memoryRepository(), { content, limits })).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID" }),
      );
  for (const texts of [{ name: "" }, { owner: "" }])
    expect(() => cached(memoryRepository(), { content, ...texts })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
});

test("methods that the repository lacks exist neither at runtime nor in the type; a reader always does", () => {
  const { upload, delete: remove, reader, ...rest } = memoryRepository();
  const readOnly = cached(rest, { content });
  for (const method of ["upload", "delete", "versions", "watch"]) expect(method in readOnly).toBe(false);
  // @ts-expect-error: a read-only repository has no upload.
  expect(readOnly.upload).toBeUndefined();
  expect(readOnly.reader).toBeDefined();
});

test("the repository's own methods are kept: upload, delete, versions, watch", async () => {
  const asked: string[] = [];
  const nothing: Closable = { close: async () => undefined, [Symbol.asyncDispose]: async () => undefined };
  const repository = {
    ...memoryRepository({ skills: skillFiles("alpha") }),
    versions: async (name: string) => {
      asked.push(`versions ${name}`);
      return [];
    },
    watch: async (_listener: () => void) => {
      asked.push("watch");
      return nothing;
    },
  } satisfies VersionedSkillRepository & WatchableSkillRepository;
  const skills = cached(repository, { content });
  expect(await skills.versions("alpha")).toEqual([]);
  expect(await skills.watch(() => undefined)).toBe(nothing);
  expect(await skills.delete("alpha")).toBe(true);
  expect((await repository.list()).skills).toEqual([]);
  expect(asked).toEqual(["versions alpha", "watch"]);
});

test("leases have their own owner, or the given one", () => {
  const [one, other] = [cached(memoryRepository(), { content }), cached(memoryRepository(), { content })];
  expect(one.leaseOwner).toMatch(/^skill-cache:/);
  expect(one.leaseOwner).not.toBe(other.leaseOwner);
  expect(cached(memoryRepository(), { content, owner: "agent-1" }).leaseOwner).toBe("agent-1");
});

test("bytes are limited: the least recently used skills are released, and the latest one is kept whatever its size", async () => {
  const { store, dispose } = await cachedSubject();
  const kept = store();
  const skills = cached(memoryRepository({ skills: skillFiles("alpha", "beta") }), {
    content: kept,
    limits: { bytes: 1 },
  });
  const alpha = await skills.load("alpha");
  await skills.load("beta");
  const isLive = (owner: string): boolean => owner.startsWith(skills.leaseOwner);
  const collected: string[] = [];
  await expect
    .poll(async () => collected.push(...(await kept.collect(isLive))) && collected)
    .toEqual([alpha.digest]);
  await skills.close();
  await dispose?.();
});

test("over an index, stored skills can be loaded while the repository is down", async () => {
  const { store, dispose } = await cachedSubject();
  const { repository, fail } = countedRepository(ALPHA);
  const index = memoryIndex();
  const process = () => cached(indexed(repository, index), { content: store(), name: "team" });
  const skill = await process().load("alpha");
  fail(true);
  expect(await process().load("alpha")).toEqual(skill);
  expect(await textOf(process().open("alpha", "docs/a.md"))).toBe("# A\n");
  await dispose?.();
});
