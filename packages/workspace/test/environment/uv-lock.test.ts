import { describe, expect, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { DEMO } from "../workspace-fixture.js";
import { allowed, environmentFixture, run } from "./environment-fixture.js";
import { needsOf } from "./needs-of.js";
import { configuredIndex, requirement, uvPackage, uvProject, wheel } from "./package-index.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const BETA = wheel("beta", "2.0.0", "beta speaks");
const GAMMA = wheel("gamma", "3.0.0", "gamma speaks");
const PROJECT = uvProject([ALPHA]);

/** `uv.lock` with this text in the place of another. */
function changed(from: string | RegExp, to: string): Record<string, string> {
  const lock = PROJECT["uv.lock"]?.replace(from, to) ?? "";
  expect(lock).not.toBe(PROJECT["uv.lock"]);
  return { ...DEMO, ...PROJECT, "uv.lock": lock };
}

test("PKG-10: uv.lock locks what the project needs, under the markers of every way to it", async () => {
  const project = uvProject([ALPHA]);
  const lock = [
    "version = 1",
    'requires-python = ">=3.8"',
    '[[package]]\nname = "demo"\nversion = "0.1.0"\nsource = { virtual = "." }',
    'dependencies = [{ name = "alpha", extra = ["more"] }, { name = "beta", marker = "sys_platform == \'win32\'" }]',
    '[package.dev-dependencies]\ndev = [{ name = "tools" }]',
    uvPackage(ALPHA, [
      "{ name = \"beta\", marker = \"python_full_version >= '3.8' and sys_platform == 'linux'\" }",
    ]),
    '[package.optional-dependencies]\nmore = [{ name = "gamma" }]\nothers = [{ name = "tools" }]',
    uvPackage(BETA, ['{ name = "alpha" }']),
    uvPackage(GAMMA),
    uvPackage(wheel("tools", "9.0.0", "")),
  ].join("\n");
  const { needs, diagnostics } = await needsOf({ ...DEMO, ...project, "uv.lock": lock });
  expect(diagnostics).toEqual([]);
  expect(needs).toMatchObject([
    {
      kind: "python",
      declaredIn: "uv.lock",
      packages: [
        { name: "alpha", version: "1.0.0" },
        { name: "beta", version: "2.0.0" },
        { name: "gamma", version: "3.0.0" },
      ],
    },
  ]);
  const condition =
    " ; ((sys_platform == 'win32')) or ((python_full_version >= '3.8' and sys_platform == 'linux')) ";
  expect(needs[0]?.files["requirements.txt"]).toBe(
    requirement(ALPHA) + requirement(BETA).replace(" ", condition) + requirement(GAMMA),
  );
});

test.each([
  ["a version of the format that nobody knows", changed("version = 1", "version = 2"), /its version is 2/],
  ["text that is not TOML", changed("version = 1", "version = "), /not TOML/],
  ["a missing hash", changed(/hash = "[^"]*", /, ""), /alpha has no hash/],
  ["no wheel", changed(/wheels = \[\n.*\n\]/, 'sdist = { hash = "sha256:00" }'), /alpha has no wheel/],
  [
    "a git source",
    changed(/registry = "[^"]*"/, 'git = "https://a.invalid/b?rev=1#1"'),
    /alpha comes from git/,
  ],
  ["a source on a path", changed(/registry = "[^"]*"/, 'path = "../alpha.whl"'), /alpha comes from its path/],
  [
    "an index in a folder",
    changed(/registry = "[^"]*"/, 'registry = "../wheels"'),
    /alpha comes from a folder/,
  ],
  ["a package that it lacks", changed('{ name = "alpha" }', '{ name = "beta" }'), /needs beta, which/],
  [
    "a marker that is none",
    changed('{ name = "alpha" }', '{ name = "alpha", marker = "a --hash=b" }'),
    /marker/,
  ],
  [
    "extras that conflict",
    changed('{ name = "alpha" }', '{ name = "alpha", marker = "extra == \'a\'" }'),
    /extras/,
  ],
  [
    "another project",
    { ...changed("3.8", "3.9"), ...pyproject("beta>=1") },
    /does not lock beta>=1 of pyproject\.toml/,
  ],
  [
    "an older project",
    { ...changed("3.8", "3.9"), ...pyproject("alpha>=1.0.1") },
    /does not lock alpha>=1\.0\.1/,
  ],
])("PKG-10: uv.lock with %s is refused with its name, the rule and a remedy", async (_what, files, why) => {
  const { needs, diagnostics } = await needsOf(files);
  expect(needs).toEqual([]);
  expect(diagnostics).toMatchObject([
    { code: "environment.not-prepared", path: "uv.lock", message: expect.stringMatching(why) },
  ]);
  expect(diagnostics[0]?.hint).toMatch(/uv|uv\.lock/);
});

test("PKG-10: uv.lock without a pyproject.toml is refused", async () => {
  const { "pyproject.toml": _project, ...rest } = PROJECT;
  const { needs, diagnostics } = await needsOf({ ...DEMO, ...rest });
  expect(needs).toEqual([]);
  expect(diagnostics).toMatchObject([
    { path: "uv.lock", message: expect.stringContaining("pyproject.toml") },
  ]);
});

test("PKG-10: uv.lock locks where requirements.txt does not, and the other way round", async () => {
  const loose = await needsOf({ ...DEMO, ...PROJECT, "requirements.txt": "alpha>=1\n" });
  expect(loose.needs).toMatchObject([{ declaredIn: "uv.lock" }]);
  expect(loose.diagnostics).toMatchObject([{ path: "requirements.txt" }]);
  const locked = await needsOf({ ...DEMO, ...PROJECT, "requirements.txt": requirement(ALPHA) });
  expect(locked.needs).toMatchObject([{ declaredIn: "requirements.txt" }]);
  expect(locked.diagnostics).toMatchObject([
    { path: "uv.lock", message: expect.stringContaining("instead") },
  ]);
});

if (hasAll("bubblewrap", "pip or ensurepip"))
  describe("the packages of uv.lock", () => {
    test("PKG-10: are installed for a run, and those of other platforms are not", async () => {
      await using index = await configuredIndex([ALPHA, BETA]);
      const project = uvProject([ALPHA, BETA]);
      const lock = project["uv.lock"]?.replace(
        '{ name = "beta" }',
        '{ name = "beta", marker = "sys_platform == \'win32\'" }',
      );
      await using fixture = await environmentFixture({ ...DEMO, ...project, "uv.lock": lock ?? "" });
      const command = 'alpha; python3 -c "import beta" 2>&1 | tail -n 1';
      const { stdout } = await run(fixture, command, allowed);
      expect(stdout.text).toBe("alpha speaks\nModuleNotFoundError: No module named 'beta'\n");
      expect(index.asked.some((url) => url.includes("beta"))).toBe(false);
    });

    test("PKG-10: are refused where the index has other files than it names", async () => {
      await using _index = await configuredIndex([wheel("alpha", "1.0.0", "something else")]);
      await using fixture = await environmentFixture({ ...DEMO, ...PROJECT });
      await expect(run(fixture, "true", allowed)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/uv\.lock.*hash/is),
      });
      expect(await fixture.store.list()).toEqual([]);
    });

    test("PKG-10: are refused where they are locked for another Python", async () => {
      await using index = await configuredIndex([ALPHA]);
      await using fixture = await environmentFixture(
        changed('requires-python = ">=3.8"', 'requires-python = ">=3.8, <3.9.1, !=4.*"'),
      );
      await expect(run(fixture, "true", allowed)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringContaining("The lockfile is for Python >=3.8, <3.9.1, !=4.*"),
      });
      expect(index.asked).toEqual([]);
    });
  });

function pyproject(requirement: string): Record<string, string> {
  return { "pyproject.toml": `[project]\nname = "demo"\nversion = "0"\ndependencies = ["${requirement}"]\n` };
}
