import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { SkillError } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { missingNeeds } from "../src/skills/missing-needs.js";
import { skillPlaces } from "../src/skills/skill-places.js";
import { withoutSkills } from "../src/skills/without-skills.js";

describe("the places of skills", () => {
  test("strongest first: given, SKILLS_ROOT, the project's, the user's, bundled; only folders that are there", async () => {
    const root = await temporaryFolder();
    const folders = ["own", "team", "project/.agents/skills", "home/.claude/skills", "bundled"];
    for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
    const { places, missing } = await skillPlaces({
      given: [join(root, "own"), "gone"],
      skillsRoot: [join(root, "team"), join(root, "own")].join(delimiter),
      project: join(root, "project"),
      home: join(root, "home"),
      bundled: join(root, "bundled"),
    });
    expect(places.map((place) => [place.root, place.trusted, place.bundled])).toEqual([
      [join(root, "own"), true, false],
      [join(root, "team"), true, false],
      [join(root, "project/.agents/skills"), false, false],
      [join(root, "home/.claude/skills"), true, false],
      [join(root, "bundled"), true, true],
    ]);
    expect(missing).toEqual(["gone"]);
  });
});

describe("skills whose needs are missing", () => {
  test("are left out with a reason, and loading one says the same (the demo without Python)", async () => {
    const empty = await temporaryFolder();
    const catalog = withoutSkills(twoSkills(), await missingNeeds({ PATH: empty }));
    const snapshot = await catalog.snapshot();
    expect(snapshot.skills.map(({ name }) => name)).toEqual(["plain"]);
    expect(snapshot.diagnostics).toContainEqual(expect.objectContaining({ code: "skill.program-missing" }));
    expect((await catalog.search("snake")).map(({ skill }) => skill.name)).toEqual([]);
    const error = await catalog.load("snake").catch((reason: unknown) => reason);
    expect(SkillError.is(error, "UNSUPPORTED")).toBe(true);
    expect(String(error)).toContain("needs python3");
    await expect(catalog.open("snake", "SKILL.md")).rejects.toThrow("needs python3");
  });

  test("are there where the program is", async () => {
    const bin = await temporaryFolder();
    await writeFile(join(bin, "python3"), "#!/bin/sh\n");
    await chmod(join(bin, "python3"), 0o755);
    const catalog = withoutSkills(twoSkills(), await missingNeeds({ PATH: bin }));
    expect((await catalog.snapshot()).skills.map(({ name }) => name)).toEqual(["plain", "snake"]);
    expect((await catalog.load("snake")).name).toBe("snake");
  });
});

function twoSkills() {
  const skills = {
    snake: {
      "SKILL.md": "---\nname: snake\ndescription: A snake.\ncompatibility: Needs Python 3.9.\n---\nHiss.",
    },
    plain: { "SKILL.md": "---\nname: plain\ndescription: Anything.\n---\nGo." },
  };
  return skillBox({ test: memoryRepository({ skills }) });
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-agent-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
