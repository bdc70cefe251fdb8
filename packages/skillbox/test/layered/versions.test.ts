import type { SkillRepository, SkillVersion, VersionedSkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { layered } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFiles } from "../skill-file.js";

const VERSION: SkillVersion = { version: "1", digest: "sha256:0", createdAt: "2026-01-01T00:00:00.000Z" };

/** Keeps one version of each of these names, of which some may be deleted. */
function versioned(label: string, kept: readonly string[], listed: readonly string[] = kept) {
  const memory = memoryRepository({ skills: skillFiles(...listed) });
  const whole = memoryRepository({ skills: skillFiles(...kept) });
  const versions: VersionedSkillRepository["versions"] = async (name) =>
    kept.includes(name) ? [{ ...VERSION, version: `${label} 1` }] : [];
  const load: SkillRepository["load"] = (name, { version, ...options } = {}) =>
    version === `${label} 1` ? whole.load(name, options) : memory.load(name, { version, ...options });
  return { ...memory, label, load, versions };
}

describe("versions", () => {
  test("come from the layer that has the name", async () => {
    const repository = layered(versioned("own", ["alpha"]), versioned("team", ["alpha", "beta"]));
    expect(await repository.versions("alpha")).toMatchObject([{ version: "own 1" }]);
    expect(await repository.versions("beta")).toMatchObject([{ version: "team 1" }]);
    expect(await repository.versions("nobody")).toEqual([]);
  });

  test("versions() is empty when the first layer with the skill keeps no versions", async () => {
    const repository = layered(
      memoryRepository({ skills: skillFiles("alpha") }),
      versioned("team", ["alpha"]),
    );
    expect(await repository.versions("alpha")).toEqual([]);
    await expect(repository.load("alpha", { version: "team 1" })).rejects.toMatchObject({
      code: "SKILL_NOT_FOUND",
    });
  });

  test("versions of a deleted skill come from the first layer that keeps some, and are loaded from there", async () => {
    const repository = layered(
      memoryRepository(),
      versioned("own", [], []),
      versioned("team", ["alpha"], []),
    );
    expect(await repository.versions("alpha")).toMatchObject([{ version: "team 1" }]);
    expect((await repository.load("alpha", { version: "team 1" })).name).toBe("alpha");
    await expect(repository.load("alpha")).rejects.toMatchObject({ code: "SKILL_NOT_FOUND" });
  });

  test("fail with the error of a layer that is asked before the name is found", async () => {
    const gone = () => Promise.reject(new Error("bucket gone"));
    const failing = { ...memoryRepository(), list: gone, find: gone };
    await expect(layered(failing, versioned("team", ["alpha"])).versions("alpha")).rejects.toMatchObject({
      code: "BACKEND_FAILED",
    });
  });
});

describe("watch", () => {
  test("reports changes in every layer that can be watched, until it is closed", async () => {
    const [one, two] = [watchable(), watchable()];
    const repository = layered(memoryRepository(), one.repository, two.repository);
    let told = 0;
    const watching = await repository.watch(() => void told++);
    one.tell();
    two.tell();
    expect(told).toBe(2);
    await watching.close();
    expect([one.watched(), two.watched()]).toEqual([0, 0]);
    await repository.watch(() => void told++);
    await repository.close();
    expect([one.watched(), two.watched()]).toEqual([0, 0]);
  });

  test("a watch that fails in one layer is closed in all others", async () => {
    const one = watchable();
    const failing = { ...watchable().repository, watch: () => Promise.reject(new Error("no more watches")) };
    await expect(layered(one.repository, failing).watch(() => undefined)).rejects.toThrow("no more watches");
    expect(one.watched()).toBe(0);
  });
});

test("methods that no layer has exist neither at runtime nor in the type; of a list only the first layer is known", () => {
  const none = layered(memoryRepository(), memoryRepository());
  expect("versions" in none || "watch" in none).toBe(false);
  // @ts-expect-error: no layer keeps versions.
  expect(none.versions).toBeUndefined();
  // @ts-expect-error: no layer can be watched.
  expect(none.watch).toBeUndefined();
  const team: VersionedSkillRepository[] = [versioned("team", ["alpha"])];
  const many = layered(memoryRepository(), ...team);
  // @ts-expect-error: the list might be empty.
  expect(many.versions).toBeDefined();
  expect(layered(versioned("own", []), ...[memoryRepository()]).versions).toBeDefined();
  expect(layered(memoryRepository(), watchable().repository).watch).toBeDefined();
});

function watchable() {
  const listeners = new Set<() => void>();
  const watch = async (listener: () => void) => {
    const own = () => listener();
    listeners.add(own);
    const close = async (): Promise<void> => void listeners.delete(own);
    return { close, [Symbol.asyncDispose]: close };
  };
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return { repository: { ...memoryRepository(), watch }, tell, watched: () => listeners.size };
}
