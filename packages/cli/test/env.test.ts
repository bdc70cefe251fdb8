import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { requirement, wheel } from "../../workspace/test/environment/package-index.js";
import { cliFixture, skill } from "./cli-fixture.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");

/** A skill whose packages are files of it, and a place for what is prepared. */
async function fixtureWithPackages() {
  const folder = "project/skills/speaker";
  const fixture = await cliFixture({
    [`${folder}/SKILL.md`]: skill("speaker"),
    [`${folder}/requirements.txt`]: requirement(ALPHA),
  });
  const wheels = join(fixture.project, "skills/speaker/wheels");
  await mkdir(wheels);
  await writeFile(join(wheels, ALPHA.fileName), ALPHA.bytes);
  // Commands find prepared packages in the user's cache.
  vi.stubEnv("XDG_CACHE_HOME", join(fixture.home, ".cache"));
  return fixture;
}

test("PKG-09: inspect and doctor name what a skill needs and what is not prepared", async () => {
  const fixture = await fixtureWithPackages();
  await fixture.write({
    "project/skills/loose/SKILL.md": skill("loose"),
    "project/skills/loose/requirements.txt": "beta>=2\n",
  });
  const inspected = await fixture.cli(["inspect", "./skills/speaker"]);
  expect(inspected.out).toMatch(
    /Packages\n {2}requirements\.txt {2}not prepared on this machine\n {4}alpha 1\.0\.0/,
  );
  const json = JSON.parse((await fixture.cli(["inspect", "./skills/speaker", "--json"])).out);
  expect(json.packages).toMatchObject([{ kind: "python", declaredIn: "requirements.txt", prepared: false }]);
  expect((await fixture.cli(["inspect", "./skills/loose"])).out).toContain("environment.not-prepared");
  const doctor = await fixture.cli(["doctor", "--skills", "skills"]);
  expect(doctor.out).toContain('The skill "speaker" needs 1 package of its requirements.txt');
  expect(doctor.out).toContain('The packages in requirements.txt of the skill "loose" are not prepared');
});

test("env list names nothing where nothing was prepared", async () => {
  const fixture = await fixtureWithPackages();
  expect((await fixture.cli(["env", "list"])).out).toBe("0 environments, 0 B\n");
});

if (hasAll("bubblewrap", "pip or ensurepip"))
  describe("prepared packages", () => {
    test("env prepare lists the packages and installs nothing without --yes", async () => {
      const fixture = await fixtureWithPackages();
      const { code, out, err } = await fixture.cli(["env", "prepare", "./skills/speaker"]);
      expect({ code, out }).toEqual({
        code: 1,
        out: "  requirements.txt  not prepared on this machine\n    alpha 1.0.0\n",
      });
      expect(err).toContain("--yes");
      expect((await fixture.cli(["env", "list"])).out).toBe("0 environments, 0 B\n");
    });

    test("env prepare --yes installs them, run finds them, and prune removes them", async () => {
      const fixture = await fixtureWithPackages();
      const run = ["run", "./skills/speaker", "--isolation", "sandbox", "alpha"];
      const before = await fixture.cli(run);
      expect(before.code).not.toBe(0);
      expect(before.err).toContain("skillwright env prepare");
      expect(await fixture.cli(["env", "prepare", "./skills/speaker", "--yes"])).toMatchObject({
        code: 0,
        out: "  requirements.txt  prepared\n    alpha 1.0.0\n",
      });
      expect(await fixture.cli(run)).toMatchObject({ code: 0, out: "alpha speaks\n" });
      expect((await fixture.cli(["env", "list"])).out).toMatch(
        /^[0-9a-f]{12} {2}speaker {2}python, 1 package of/,
      );
      expect((await fixture.cli(["inspect", "./skills/speaker"])).out).toContain(
        "requirements.txt  prepared",
      );
      expect((await fixture.cli(["env", "prune", "--json"])).out).toContain('"removed": []');
      expect(JSON.parse((await fixture.cli(["env", "prune", "--all", "--json"])).out)).toMatchObject({
        removed: [{ skill: "speaker" }],
      });
      expect((await fixture.cli(["env", "list"])).out).toBe("0 environments, 0 B\n");
    });
  });
