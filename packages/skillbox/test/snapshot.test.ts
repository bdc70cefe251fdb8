import type { SkillListing, SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

const skills = skillFiles("alpha", "beta");

async function fingerprintOf(...parameters: Parameters<typeof skillBox>): Promise<string> {
  return (await skillBox(...parameters).snapshot()).fingerprint;
}

describe("the fingerprint", () => {
  test("is equal for equal inputs in another box", async () => {
    const one = await fingerprintOf({ own: memoryRepository({ skills }) });
    const other = await fingerprintOf({
      own: memoryRepository({ skills: skillFiles("beta", "alpha") }),
    });
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(other).toBe(one);
  });

  test.each<[string, Parameters<typeof skillBox>[0]]>([
    ["a source's name", { mine: memoryRepository({ skills }) }],
    ["a source's trust", { own: { repository: memoryRepository({ skills }), trusted: false } }],
    ["one more source", { own: memoryRepository({ skills }), more: memoryRepository() }],
    [
      "a body",
      { own: memoryRepository({ skills: { ...skills, beta: skillFile("beta", undefined, "new") } }) },
    ],
    ["a description", { own: memoryRepository({ skills: { ...skills, beta: skillFile("beta", "new") } }) }],
    [
      "a file beside SKILL.md",
      { own: memoryRepository({ skills: { ...skills, beta: { ...skillFile("beta"), "a.txt": "a" } } }) },
    ],
    ["a skill less", { own: memoryRepository({ skills: skillFiles("alpha") }) }],
    ["a broken skill more", { own: memoryRepository({ skills: { ...skills, bad: { "SKILL.md": "x" } } }) }],
  ])("changes with %s", async (_what, sources) => {
    const before = await fingerprintOf({ own: memoryRepository({ skills }) });
    expect(await fingerprintOf(sources)).not.toBe(before);
  });

  test("changes with the order of the sources", async () => {
    const parts = { a: memoryRepository({ skills }), b: memoryRepository({ skills: skillFiles("gamma") }) };
    expect(await fingerprintOf({ b: parts.b, a: parts.a })).not.toBe(await fingerprintOf(parts));
  });

  test("does not change when a digest becomes known", async () => {
    const repository = memoryRepository({ skills });
    const without: SkillRepository = { ...repository, list: () => repository.list().then(withoutDigests) };
    expect(await fingerprintOf({ own: without })).toBe(await fingerprintOf({ own: repository }));
  });
});

test("a snapshot is frozen, and plain data that survives JSON", async () => {
  const snapshot = await skillBox({ own: memoryRepository({ skills }) }).snapshot();
  expect(Object.isFrozen(snapshot.skills)).toBe(true);
  expect(Object.isFrozen(snapshot.skills[0]?.frontmatter)).toBe(true);
  expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
});

test("an aborted snapshot fails with ABORTED instead of returning an incomplete list", async () => {
  const box = skillBox({ own: memoryRepository({ skills }) });
  await expect(box.snapshot({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
});

test("a source that hangs does not delay an aborting caller", async () => {
  const hanging: SkillRepository = { ...memoryRepository(), list: () => new Promise(() => {}) };
  const leaving = new AbortController();
  const waiting = skillBox({ hanging }).snapshot({ signal: leaving.signal });
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
});

function withoutDigests(listing: SkillListing): SkillListing {
  return { ...listing, skills: listing.skills.map(({ digest: _, ...rest }) => rest) };
}
