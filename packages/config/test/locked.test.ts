import { failsWith, skillMarkdown } from "@skillwright/contracts";
import { readText, type SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { lockFileOf } from "../src/lock/lock-file.js";
import { lockSkill } from "../src/lock/lock-skill.js";
import { locked } from "../src/lock/locked.js";
import { SKILL } from "./skill-files.js";

describe("a repository with a lock file", () => {
  test("returns locked skills unchanged", async () => {
    const { held, repository } = await lockedPdf();
    expect((await held.list()).skills).toEqual((await repository.list()).skills);
    expect(await held.load("pdf")).toEqual(await repository.load("pdf"));
    expect(await readText(await held.open("pdf", "data.txt"), 100)).toBe("first");
    const read = await held.reader?.("pdf");
    expect(await readText((await read?.("data.txt")) ?? "", 100)).toBe("first");
    await failsWith(held.open("pdf", "gone.txt"), "FILE_NOT_FOUND");
    await failsWith(held.open("pdf", "../x"), "PATH_OUTSIDE");
  });

  test("refuses content that changed since, in load and in every file, with both digests and the remedy", async () => {
    const { held, repository } = await lockedPdf();
    await repository.upload([{ path: "SKILL.md", content: skillMarkdown("pdf", { body: "Other." }) }]);
    await failsWith(held.load("pdf"), "DIGEST_MISMATCH");
    await failsWith(held.open("pdf", "SKILL.md"), "DIGEST_MISMATCH");
    await expect(held.load("pdf")).rejects.toThrow(
      /sha256:[0-9a-f]{64}[\s\S]*sha256:[0-9a-f]{64}[\s\S]*skillwright update/,
    );
  });

  test("reports a listing with another digest, and the skill is not among the usable ones", async () => {
    const { repository, lock } = await lockedPdf();
    const [summary] = (await repository.list()).skills;
    const listing = {
      skills: summary ? [{ ...summary, digest: `sha256:${"0".repeat(64)}` }] : [],
      broken: [],
      diagnostics: [],
    };
    const { skills, broken } = await locked({ ...repository, list: async () => listing }, lock).list();
    expect(skills).toEqual([]);
    expect(broken).toMatchObject([{ path: "pdf", diagnostics: [{ code: "lock.mismatch" }] }]);
  });

  test("ends a stream whose bytes differ from the manifest, even if the digest was right", async () => {
    const { repository, lock } = await lockedPdf();
    const lying: SkillRepository = { ...repository, open: async () => new Blob(["other"]).stream() };
    const held = locked(lying, lock);
    await failsWith(readText(await held.open("pdf", "data.txt"), 100), "DIGEST_MISMATCH");
    const reading = locked(
      { ...lying, reader: async () => async () => new TextEncoder().encode("other") },
      lock,
    );
    const read = await reading.reader?.("pdf");
    await failsWith(Promise.resolve(read?.("data.txt")), "DIGEST_MISMATCH");
  });

  test("reports unlocked skills, which cannot be loaded, and missing locked ones", async () => {
    const { repository, lock } = await lockedPdf();
    await repository.upload([{ path: "SKILL.md", content: skillMarkdown("new-one") }]);
    await repository.delete("pdf");
    const held = locked(repository, lock);
    const { skills, diagnostics } = await held.list();
    expect(skills).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["lock.not-locked", "lock.missing"]);
    await failsWith(held.load("new-one"), "SKILL_NOT_FOUND");
    await failsWith(held.load("pdf"), "SKILL_NOT_FOUND");
  });

  test("loads the locked version if the repository keeps versions", async () => {
    const { repository } = await lockedPdf();
    const asked: (string | undefined)[] = [];
    const { digest } = await repository.load("pdf");
    const versioned = {
      ...repository,
      versions: async () => [],
      load: (name: string, options?: { version?: string | undefined }) => {
        asked.push(options?.version);
        return repository.load(name);
      },
    };
    await locked(versioned, lockFileOf([["pdf", { source: "s3://b", version: "3", digest }]])).load("pdf");
    expect(asked).toEqual(["3"]);
  });

  test("uses only the entries of its source, if one is given", async () => {
    const { repository, lock } = await lockedPdf();
    await failsWith(locked(repository, lock, { source: "./other" }).load("pdf"), "SKILL_NOT_FOUND");
    expect((await locked(repository, lock, { source: "./a" }).load("pdf")).name).toBe("pdf");
  });
});

async function lockedPdf() {
  const repository = memoryRepository({ skills: { pdf: SKILL } });
  const lock = lockFileOf([["pdf", await lockSkill("pdf", "./a", repository)]]);
  return { repository, lock, held: locked(repository, lock) };
}
