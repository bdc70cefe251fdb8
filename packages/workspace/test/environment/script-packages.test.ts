import { describe, expect, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { DEMO } from "../workspace-fixture.js";
import { allowed, environmentFixture, run } from "./environment-fixture.js";
import { needsOf } from "./needs-of.js";
import { configuredIndex, requirement, uvProject, uvScriptLock, wheel } from "./package-index.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const BETA = wheel("beta", "2.0.0", "beta speaks");

function script(requirements: readonly string[], code = ""): string {
  const names = requirements.map((one) => `#   ${JSON.stringify(one)},\n`).join("");
  return `# /// script\n# dependencies = [\n${names}# ]\n# ///\n${code}`;
}

test("PKG-12: the lock beside a script is a need of the skill", async () => {
  const files = { ...DEMO, "scripts/a.py": script(["alpha"]), "scripts/a.py.lock": uvScriptLock([ALPHA]) };
  const { needs, diagnostics } = await needsOf(files);
  expect(diagnostics).toEqual([]);
  expect(needs).toMatchObject([
    { declaredIn: "scripts/a.py.lock", packages: [{ name: "alpha", version: "1.0.0" }] },
  ]);
});

test("PKG-12: a line separator of Unicode does not end a line in the block of a script", async () => {
  const block = script(["alpha"]).replace("# dependencies", "# # a\u2028b\n# dependencies");
  const { needs } = await needsOf({ ...DEMO, "a.py": block, "a.py.lock": uvScriptLock([ALPHA]) });
  expect(needs).toMatchObject([{ packages: [{ name: "alpha" }] }]);
});

test("PKG-12: the locks of several scripts are one need", async () => {
  const { needs, diagnostics } = await needsOf({
    ...DEMO,
    ...{ "a.py": script(["alpha"]), "a.py.lock": uvScriptLock([ALPHA]) },
    ...{ "b.py": script(["alpha", "beta>=2"]), "b.py.lock": uvScriptLock([ALPHA, BETA]) },
  });
  expect(diagnostics).toEqual([]);
  expect(needs).toMatchObject([{ declaredIn: "a.py.lock, b.py.lock" }]);
  expect(needs[0]?.files["requirements.txt"]).toBe(requirement(ALPHA) + requirement(BETA));
});

test("PKG-12: scripts that lock different versions are reported, and nothing is prepared", async () => {
  const other = wheel("alpha", "1.5.0", "");
  const { needs, diagnostics } = await needsOf({
    ...DEMO,
    ...{ "a.py": script(["alpha"]), "a.py.lock": uvScriptLock([ALPHA]) },
    ...{ "b.py": script(["alpha"]), "b.py.lock": uvScriptLock([other]) },
  });
  expect(needs).toEqual([]);
  expect(diagnostics[0]).toMatchObject({
    path: "a.py.lock, b.py.lock",
    message: expect.stringContaining("alpha 1.0.0 and 1.5.0"),
    hint: expect.stringContaining("uv.lock"),
  });
});

test.each([
  ["requirements.txt", { "requirements.txt": requirement(ALPHA) }],
  ["uv.lock", uvProject([ALPHA])],
])("PKG-12: a script is met by the skill's %s if that locks what it names", async (path, lock) => {
  const own = { "scripts/b.py.lock": uvScriptLock([ALPHA, BETA]) };
  const scripts = { "scripts/a.py": script(["Alpha>=1,<2"]), "scripts/b.py": script(["alpha", "beta~=2.0"]) };
  const { needs, diagnostics } = await needsOf({ ...DEMO, ...lock, ...scripts, ...own });
  expect(needs).toMatchObject([{ declaredIn: path, packages: [{ name: "alpha" }] }]);
  expect(diagnostics).toMatchObject([
    { path: "scripts/b.py", message: expect.stringContaining(`${path} does not lock beta~=2.0`) },
  ]);
});

test.each([
  "alpha==1.*",
  "alpha==1.0",
  "alpha!=1.1",
  "alpha~=1.0",
  "alpha>0.9",
  "alpha<=1",
  "alpha (>=1.0.0)",
  "alpha[x]<2; python_version>'3'",
])("PKG-12: alpha 1.0.0 meets %s", async (named) => {
  const files = { ...DEMO, "requirements.txt": requirement(ALPHA), "a.py": script([named]) };
  expect((await needsOf(files)).diagnostics).toEqual([]);
});

test.each([
  "alpha==1.1.*",
  "alpha==1.0.1",
  "alpha!=1",
  "alpha~=1.0.1",
  "alpha>1",
  "alpha<1",
  "alpha<=0.9",
  "alphabet",
  "alpha @ https://a.invalid/alpha.whl",
])("PKG-12: alpha 1.0.0 does not meet %s", async (named) => {
  const files = { ...DEMO, "requirements.txt": requirement(ALPHA), "a.py": script([named]) };
  expect((await needsOf(files)).diagnostics).toMatchObject([{ path: "a.py" }]);
});

if (hasAll("bubblewrap", "pip or ensurepip"))
  describe("a script with a lock beside it", () => {
    test("PKG-12: finds its packages when it runs", async () => {
      await using _index = await configuredIndex([ALPHA]);
      await using fixture = await environmentFixture({
        ...DEMO,
        "scripts/say.py": script(["alpha"], "import alpha\nprint(alpha.TEXT)\n"),
        "scripts/say.py.lock": uvScriptLock([ALPHA]),
      });
      const { stdout, diagnostics } = await run(fixture, "python3 scripts/say.py", allowed);
      expect(stdout.text).toBe("alpha speaks\n");
      expect(diagnostics.filter(({ code }) => code.startsWith("environment."))).toEqual([]);
    });
  });
