import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failsWith, skillMarkdown } from "@skillwright/contracts";
import { SkillError, type WritableSkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { describe, expect, onTestFinished, test } from "vitest";
import { type InstallOptions, installSkills } from "../src/install/install-skills.js";
import { type LockFile, lockFileOf } from "../src/lock/lock-file.js";
import { lockSkill } from "../src/lock/lock-skill.js";
import { SKILL } from "./skill-files.js";

describe("installing a lock file", () => {
  test("installs each skill completely, with executable scripts, and reports it once", async () => {
    const { directory, lock, install } = await twoLocked();
    const told: string[] = [];
    const results = await install({ onResult: ({ name, state }) => told.push(`${name} ${state}`) });
    expect(results.map(({ state }) => state)).toEqual(["installed", "installed"]);
    expect(told).toEqual(["csv installed", "pdf installed"]);
    expect(await readFile(join(directory, "pdf/data.txt"), "utf8")).toBe("first");
    expect((await stat(join(directory, "pdf/scripts/read.sh"))).mode & 0o111).not.toBe(0);
    expect((await install()).map(({ state }) => state)).toEqual(["unchanged", "unchanged"]);
    expect(Object.keys(lock.skills)).toEqual(["csv", "pdf"]);
  });

  test("skills that were not installed from here are replaced only with force (INSTALL-01)", async () => {
    const { directory, install } = await twoLocked();
    await mkdir(join(directory, "pdf"), { recursive: true });
    await writeFile(join(directory, "pdf/SKILL.md"), skillMarkdown("pdf", { body: "Mine." }));
    const [csv, pdf] = await install();
    expect(csv?.state).toBe("installed");
    expect(pdf).toMatchObject({ state: "failed", error: { code: "SKILL_EXISTS" } });
    expect(await readFile(join(directory, "pdf/SKILL.md"), "utf8")).toContain("Mine.");
    expect((await install({ force: true })).map(({ state }) => state)).toEqual(["unchanged", "replaced"]);
    expect(await readdir(join(directory, "pdf"))).toContain("data.txt");
  });

  test("edited skills are kept; unedited ones are updated", async () => {
    const { directory, source, install, relock } = await twoLocked();
    await install();
    await writeFile(join(directory, "csv/SKILL.md"), skillMarkdown("csv", { body: "Edited." }));
    for (const name of ["csv", "pdf"])
      await source.upload([{ path: "SKILL.md", content: skillMarkdown(name, { body: "Newer." }) }]);
    await relock();
    const [csv, pdf] = await install();
    expect(csv).toMatchObject({ state: "failed", error: { code: "SKILL_EXISTS" } });
    expect(pdf?.state).toBe("replaced");
    expect(await readdir(join(directory, "pdf"))).toEqual(["SKILL.md"]);
  });

  test("content that differs from the lock is refused before any change, with both digests (INSTALL-02)", async () => {
    const { directory, source, install } = await twoLocked();
    await install({ names: ["pdf"] });
    await source.upload([{ path: "SKILL.md", content: skillMarkdown("pdf", { body: "Swapped." }) }]);
    await rm(join(directory, "pdf/data.txt"));
    const [result] = await install({ names: ["pdf"], force: true });
    expect(result).toMatchObject({ state: "failed", error: { code: "DIGEST_MISMATCH" } });
    expect(result?.error?.message).toMatch(/sha256:[0-9a-f]{64}[\s\S]*sha256:[0-9a-f]{64}/);
    expect((await readdir(join(directory, "pdf"))).sort()).toEqual(["SKILL.md", "scripts"]);
  });

  test("frozen mode refuses a different installed skill even if it was installed from here", async () => {
    const { source, install, relock } = await twoLocked();
    await install({ names: ["pdf"] });
    await source.upload([{ path: "SKILL.md", content: skillMarkdown("pdf", { body: "Newer." }) }]);
    await relock();
    const [csv, pdf] = await install({ frozen: true });
    expect(csv?.state).toBe("installed");
    expect(pdf).toMatchObject({ state: "failed", error: { code: "DIGEST_MISMATCH" } });
  });

  test("a directory that is a link out of the target is not written through (INSTALL-03)", async () => {
    const { directory, install } = await twoLocked();
    const outside = join(directory, "../outside");
    await mkdir(outside);
    await mkdir(directory, { recursive: true });
    await symlink(outside, join(directory, "pdf"));
    await install({ force: true });
    expect(await readdir(outside)).toEqual([]);
  });

  test("a directory that becomes such a link between check and write is not written through (INSTALL-03)", async () => {
    const { directory, source, install } = await twoLocked();
    const outside = join(directory, "../outside");
    await mkdir(outside);
    await writeFile(join(outside, "SKILL.md"), skillMarkdown("pdf", { body: "Somebody's own." }));
    const open = async () => {
      await rm(join(directory, "pdf"), { recursive: true, force: true });
      await symlink(outside, join(directory, "pdf"));
      return source;
    };
    for (const force of [false, true]) {
      const [result] = await install({ names: ["pdf"], force, open });
      expect(await readdir(outside)).toEqual(["SKILL.md"]);
      expect(await readFile(join(outside, "SKILL.md"), "utf8")).toContain("Somebody's own.");
      expect(result).toMatchObject({ state: "failed", error: { code: "SKILL_EXISTS" } });
    }
  });

  test("a scanner that needs time refuses a skill before anything of it is written (INSTALL-05)", async () => {
    const { directory, install } = await twoLocked();
    const scanned: string[] = [];
    const check: InstallOptions["check"] = async (name, files) => {
      await readdir(directory);
      for (const { path } of files) scanned.push(`${name}/${path}`);
      if (files.some(({ path }) => path === "scripts/read.sh"))
        throw new SkillError("REFUSED", `The scanner refused "${name}".`);
    };
    const [csv, pdf] = await install({ check });
    expect(csv?.state).toBe("installed");
    expect(pdf).toMatchObject({ state: "failed", error: { code: "REFUSED" } });
    expect(scanned).toEqual(["csv/SKILL.md", "pdf/SKILL.md", "pdf/data.txt", "pdf/scripts/read.sh"]);
    expect((await readdir(directory)).filter((name) => !name.startsWith("."))).toEqual(["csv"]);
  });

  test("an abort ends an installation whose scanner never answers (INSTALL-05)", async () => {
    const { directory, install } = await twoLocked();
    const controller = new AbortController();
    const check = (): Promise<void> => {
      controller.abort();
      return new Promise(() => undefined);
    };
    await failsWith(install({ check, signal: controller.signal }), "ABORTED");
    expect((await readdir(directory)).filter((name) => !name.startsWith("."))).toEqual([]);
  });

  test("a name that the file does not have, and an abort, end the installation", async () => {
    const { install } = await twoLocked();
    await failsWith(install({ names: ["gone"] }), "SKILL_NOT_FOUND");
    await failsWith(install({ signal: AbortSignal.abort() }), "ABORTED");
  });

  test("with an unreadable record every installed skill counts as the user's own", async () => {
    const { directory, source, install, relock } = await twoLocked();
    await install();
    await writeFile(join(directory, ".skillwright-installed.json"), "{");
    await source.upload([{ path: "SKILL.md", content: skillMarkdown("pdf", { body: "Newer." }) }]);
    await relock();
    const [, pdf] = await install();
    expect(pdf).toMatchObject({ state: "failed", error: { code: "SKILL_EXISTS" } });
  });
});

async function twoLocked() {
  const home = await mkdtemp(join(tmpdir(), "skillwright-install-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const directory = join(home, "skills");
  const csv = { "SKILL.md": skillMarkdown("csv") };
  const source: WritableSkillRepository = memoryRepository({ skills: { pdf: SKILL, csv } });
  let lock = await lockBoth();
  return {
    directory,
    source,
    get lock(): LockFile {
      return lock;
    },
    relock: async () => {
      lock = await lockBoth();
    },
    install: (options: Partial<InstallOptions> = {}) =>
      installSkills(lock, { directory, open: async () => source, ...options }),
  };

  async function lockBoth(): Promise<LockFile> {
    const names = ["pdf", "csv"];
    const entries = await Promise.all(names.map((name) => lockSkill(name, "./a", source)));
    return lockFileOf(entries.map((entry, index) => [names[index] ?? "", entry]));
  }
}
