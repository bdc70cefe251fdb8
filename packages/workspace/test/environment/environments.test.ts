import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type InstallQuestion, SkillError } from "@skillwright/core";
import { describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { DEMO, SESSION } from "../workspace-fixture.js";
import { allowed, entries, environmentFixture, otherManager, run } from "./environment-fixture.js";
import { configuredIndex, nodePackage, nodeProject, requirement, wheel } from "./package-index.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const BETA = wheel("beta", "2.0.0", "beta speaks");
const GAMMA = nodePackage("gamma", "3.0.0", "gamma speaks");

const PYTHON = {
  ...DEMO,
  "requirements.txt": requirement(ALPHA) + requirement(BETA),
  "scripts/say.py": "import alpha, beta\nprint(alpha.TEXT, beta.TEXT)\n",
};
const NODE = {
  ...DEMO,
  ...nodeProject([GAMMA]),
  "scripts/say.mjs": 'import { text } from "gamma";\nconsole.log(text);\n',
  "scripts/say.cjs": 'console.log(require("gamma").text);\n',
};

if (hasAll("bubblewrap", "pip or ensurepip"))
  describe("Python packages of a skill", () => {
    test("PKG-01: are installed after one approval that lists them, and are there in every later workspace", async () => {
      await using index = await configuredIndex([ALPHA, BETA]);
      await using fixture = await environmentFixture(PYTHON);
      const asked: InstallQuestion[] = [];
      const approveInstall = async (question: InstallQuestion) => asked.push(question) > 0;
      const first = await run(fixture, "python3 scripts/say.py && alpha", { approveInstall });
      expect(first).toMatchObject({
        exitCode: 0,
        stdout: { text: "alpha speaks beta speaks\nalpha speaks\n" },
      });
      expect(asked).toMatchObject([
        {
          skill: "demo",
          installs: [
            {
              kind: "python",
              declaredIn: "requirements.txt",
              packages: [
                { name: "alpha", version: "1.0.0" },
                { name: "beta", version: "2.0.0" },
              ],
              fromSkill: false,
            },
          ],
        },
      ]);
      const downloads = index.asked.length;
      const { id } = await fixture.workspaces.forSession({ ...SESSION, session: "s2" });
      const second = await fixture.workspaces.run(id, { skill: "demo", command: "python scripts/say.py" });
      expect(second.stdout.text).toBe("alpha speaks beta speaks\n");
      expect(index.asked.length).toBe(downloads);
      expect(asked.length).toBe(1);
    });

    test("PKG-02: are read-only for a run, which has no network", async () => {
      await using index = await configuredIndex([ALPHA, BETA]);
      await using fixture = await environmentFixture(PYTHON);
      const command = [
        `python3 -c 'import urllib.request as u; u.urlopen("${index.python}alpha/")' 2>&1 | tail -n 1`,
        'touch "$VIRTUAL_ENV/bin/new" || echo read-only',
        'rm -f "$VIRTUAL_ENV"/lib/python3*/site-packages/alpha/__init__.py || echo kept',
      ].join("\n");
      const { stdout } = await run(fixture, command, allowed);
      expect(stdout.text).toMatch(/^.*(URLError|Connection refused|unreachable).*\nread-only\nkept\n$/i);
    });

    test("are refused where nobody allows them, before anything is fetched", async () => {
      await using index = await configuredIndex([ALPHA, BETA]);
      await using fixture = await environmentFixture(PYTHON);
      const refusal = { code: "REFUSED", message: expect.stringMatching(/alpha 1\.0\.0, beta 2\.0\.0/) };
      await expect(run(fixture, "true")).rejects.toMatchObject(refusal);
      await expect(run(fixture, "true", { approveInstall: async () => false })).rejects.toMatchObject(
        refusal,
      );
      expect(index.asked).toEqual([]);
      expect(await fixture.store.list()).toEqual([]);
    });

    test("PKG-03: are refused where the index has other files than the lockfile names, and nothing is kept", async () => {
      await using _index = await configuredIndex([ALPHA, wheel("beta", "2.0.0", "something else")]);
      await using fixture = await environmentFixture(PYTHON);
      await expect(run(fixture, "true", allowed)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/requirements\.txt.*hash/is),
      });
      expect(await fixture.store.list()).toEqual([]);
      expect(await fixture.runtime.list()).toEqual([(await fixture.workspaces.forSession(SESSION)).id]);
    });

    test("PKG-04: come from the skill's own wheels without an index", async () => {
      await using index = await configuredIndex([]);
      const wheels = Object.fromEntries(
        [ALPHA, BETA].map(({ fileName, bytes }) => [`wheels/${fileName}`, bytes]),
      );
      await using fixture = await environmentFixture({ ...PYTHON, ...wheels });
      const { stdout } = await run(fixture, "python3 scripts/say.py", allowed);
      expect(stdout.text).toBe("alpha speaks beta speaks\n");
      expect(index.asked).toEqual([]);
    });

    test("PKG-04: come from the wheel folder that pip is configured with", async () => {
      await using fixture = await environmentFixture(PYTHON);
      for (const { fileName, bytes } of [ALPHA, BETA])
        await writeFile(path.join(fixture.directory, fileName), bytes);
      vi.stubEnv("PIP_FIND_LINKS", pathToFileURL(fixture.directory).href);
      vi.stubEnv("PIP_NO_INDEX", "1");
      const { stdout } = await run(fixture, "python3 scripts/say.py", allowed);
      expect(stdout.text).toBe("alpha speaks beta speaks\n");
    });

    test("PKG-05: are prepared once for sessions that need them at the same time", async () => {
      await using index = await configuredIndex([ALPHA, BETA]);
      await using fixture = await environmentFixture(PYTHON);
      const other = otherManager(fixture);
      const sessions = ["s2", "s3", "s4"].map((session) => ({ ...SESSION, session }));
      const results = await Promise.all(
        sessions.map(async (session, at) => {
          const workspaces = at === 0 ? other : fixture.workspaces;
          const { id } = await workspaces.forSession(session);
          return await workspaces.run(id, { skill: "demo", command: "python3 scripts/say.py" }, allowed);
        }),
      );
      expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
      expect(index.asked.filter((url) => url.endsWith(".whl")).length).toBe(2);
      await other.close();
    });

    test("stay with the skill that locks them", async () => {
      await using _index = await configuredIndex([ALPHA, BETA]);
      await using fixture = await environmentFixture(PYTHON);
      await fixture.repository.upload([
        { path: "SKILL.md", content: "---\nname: plain\ndescription: Has no packages.\n---\n" },
      ]);
      await run(fixture, "python3 scripts/say.py", allowed);
      const { id } = await fixture.workspaces.forSession(SESSION);
      const ask = 'python3 -c "import alpha" 2>&1 | tail -n 1; ls "$SKILLS_DIR"';
      const { stdout, diagnostics } = await fixture.workspaces.run(id, { skill: "plain", command: ask });
      expect(stdout.text).toBe("ModuleNotFoundError: No module named 'alpha'\ndemo\nplain\n");
      expect(diagnostics.filter(({ code }) => code.startsWith("skill."))).toEqual([]);
    });

    test("PKG-06: leave no credentials of the index in the result, the environment or the question", async () => {
      await using index = await configuredIndex([ALPHA]);
      const password = "a-password-of-the-index";
      vi.stubEnv("PIP_INDEX_URL", index.python.replace("//", `//ada:${password}@`));
      await using fixture = await environmentFixture({ ...PYTHON, "requirements.txt": requirement(ALPHA) });
      const look = `env; grep -r ${password} "$VIRTUAL_ENV" "$WORKSPACE_DIR/work" | wc -l`;
      const result = await run(fixture, look, allowed);
      expect([...index.credentials]).toEqual([`Basic ${btoa(`ada:${password}`)}`]);
      expect(result.stdout.text).toMatch(/\n0\n$/);
      expect(JSON.stringify(result)).not.toContain(password.slice(2));
      vi.stubEnv("PIP_INDEX_URL", index.python.replace("//", `//ada:${password}@`));
      await fixture.store.prune({ maxBytes: 0, inUse: false });
      await fixture.repository.upload(
        entries({ ...PYTHON, "requirements.txt": requirement(wheel("missing", "1.0.0", "")) }),
      );
      const error: unknown = await run(fixture, "true", allowed).catch((error: unknown) => error);
      expect(SkillError.is(error) && error.message).toMatch(/missing/);
      expect(String(error)).not.toContain(password);
    });

    test("are prepared again when their environment was removed from the cache", async () => {
      await using index = await configuredIndex([ALPHA, BETA]);
      await using fixture = await environmentFixture(PYTHON);
      await run(fixture, "true", allowed);
      const [stored] = await fixture.store.list();
      expect(stored).toMatchObject({ kind: "python", skill: "demo", declaredIn: "requirements.txt" });
      expect(await fixture.store.prune({ maxBytes: 0 })).toEqual([]);
      expect(await fixture.store.prune({ maxBytes: 0, inUse: false })).toMatchObject([{ key: stored?.key }]);
      expect(await readdir(path.join(fixture.directory, "environments"))).toEqual([]);
      await expect(run(fixture, "true")).rejects.toMatchObject({ code: "REFUSED" });
      const { stdout } = await run(fixture, "python3 scripts/say.py", allowed);
      expect(stdout.text).toBe("alpha speaks beta speaks\n");
      expect(index.asked.filter((url) => url.endsWith(".whl")).length).toBe(4);
    });
  });

if (hasAll("bubblewrap", "npm of the system"))
  describe("npm packages of a skill", () => {
    test("are installed without scripts, and found by import, require and on PATH", async () => {
      await using _index = await configuredIndex([GAMMA]);
      await using fixture = await environmentFixture(NODE);
      const command =
        'node scripts/say.mjs && node scripts/say.cjs && gamma && ls "$SKILLS_DIR/node_modules/gamma"';
      const { stdout, exitCode } = await run(fixture, command, allowed);
      expect({ stdout: stdout.text, exitCode }).toEqual({
        stdout: `${"gamma speaks\n".repeat(3)}cli.js\nindex.js\npackage.json\n`,
        exitCode: 0,
      });
    });

    test("PKG-03: are refused where the registry has other files than the lockfile names", async () => {
      await using _index = await configuredIndex([nodePackage("gamma", "3.0.0", "something else")]);
      await using fixture = await environmentFixture(NODE);
      await expect(run(fixture, "true", allowed)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/package-lock\.json.*EINTEGRITY/s),
      });
      expect(await fixture.store.list()).toEqual([]);
    });
  });

if (hasAll("bubblewrap"))
  describe("packages that are not locked", () => {
    test("PKG-09: are reported, and the run goes on without them", async () => {
      await using fixture = await environmentFixture({ ...DEMO, "requirements.txt": "alpha>=1\n" });
      const { exitCode, diagnostics } = await run(fixture, "true", allowed);
      expect(exitCode).toBe(0);
      expect(diagnostics).toContainEqual(
        expect.objectContaining({ code: "environment.not-prepared", path: "requirements.txt" }),
      );
    });

    test.each([
      ["pyproject.toml", '[project]\nname = "demo"\ndependencies = [\n  "alpha>=1",\n]\n'],
      ["scripts/say.py", '# /// script\n# dependencies = [\n#   "alpha",\n# ]\n# ///\nimport alpha\n'],
    ])("PKG-09: those that %s names are reported", async (name, content) => {
      await using fixture = await environmentFixture({ ...DEMO, [name]: content });
      const { diagnostics } = await run(fixture, "true", allowed);
      expect(diagnostics).toMatchObject([{ code: "environment.not-prepared", path: name }]);
    });

    test.each([
      ["pyproject.toml", '[project]\nname = "demo"\ndependencies = []\n'],
      ["scripts/say.py", '# /// script\n# dependencies = []\n# ///\nprint("dependencies = [\\"alpha\\"]")\n'],
    ])("nothing is reported for %s without packages", async (name, content) => {
      await using fixture = await environmentFixture({ ...DEMO, [name]: content });
      expect((await run(fixture, "true", allowed)).diagnostics).toEqual([]);
    });
  });
