import { describe, expect, test } from "vitest";
import { eligibility, ineligibleDiagnostic, neededPrograms } from "../../src/index.js";
import { host, judged, reasons } from "./judged.js";

describe("what a skill needs", () => {
  test("ELIG-01: a missing program is a reason, and named", () => {
    const skill = judged({ requires: { bins: ["curl", "jq"] } });
    expect(reasons(skill, host({ programs: ["curl"] }))).toEqual(["program jq"]);
    expect(reasons(skill, host({ programs: ["curl", "jq"] }))).toEqual([]);
  });

  test("ELIG-02: one of anyBins is enough; with none of them all are named", () => {
    const skill = judged({ requires: { anyBins: ["rg", "grep"] } });
    expect(reasons(skill, host({ programs: ["grep"] }))).toEqual([]);
    expect(reasons(skill, host())).toEqual(["any-program rg grep"]);
  });

  test("python counts as present where python3 is, which runtimes start for it, and both are looked up", () => {
    const skill = judged({ requires: { bins: ["python"] } });
    expect(neededPrograms(skill.frontmatter)).toEqual(["python", "python3"]);
    expect(reasons(skill, host({ programs: ["python3"] }))).toEqual([]);
    expect(reasons(skill, host())).toEqual(["program python"]);
    expect(reasons(judged({ requires: { bins: ["python3"] } }), host({ programs: ["python"] }))).toEqual([
      "program python3",
    ]);
  });

  test("ELIG-03: another system is a reason, also with always", () => {
    const skill = judged({ os: ["darwin"], always: true });
    expect(reasons(skill, host())).toEqual(["system darwin"]);
    expect(reasons(skill, host({ systems: ["linux", "darwin"] }))).toEqual([]);
  });

  test("ELIG-04: always ignores everything else that is missing, and looks up no program", () => {
    const skill = judged({
      always: true,
      requires: { bins: ["none"], env: ["KEY"], config: ["a.b"], anyBins: ["x"] },
    });
    expect(reasons(skill, host())).toEqual([]);
    expect(neededPrograms(skill.frontmatter)).toEqual([]);
  });

  test("ELIG-05: the API key of the configuration sets the primary variable", () => {
    const skill = judged({ primaryEnv: "SERVICE_KEY", requires: { env: ["SERVICE_KEY"] } });
    expect(reasons(skill, host())).toEqual(["variable SERVICE_KEY"]);
    expect(reasons(skill, host(), { skills: { a: { apiKey: "k" } } })).toEqual([]);
  });

  test("variables: required, one of several, configured or passed; the host's own alone do not count", () => {
    const skill = judged({
      requires: { env: ["REGION"], anyEnv: ["ONE_KEY", "OTHER_KEY"] },
      envVars: [{ name: "OPTIONAL", required: false }, { name: "WANTED" }],
    });
    const facts = host({ variables: { REGION: "eu", OTHER_KEY: "k" } });
    expect(reasons(skill, facts)).toEqual(["variable REGION WANTED", "any-variable ONE_KEY OTHER_KEY"]);
    const settings = { passVariables: ["REGION", "OTHER_KEY"], skills: { a: { env: { WANTED: "1" } } } };
    expect(reasons(skill, facts, settings)).toEqual([]);
  });

  test("variables of an unapproved skill count as present where its runs will get them", () => {
    const skill = judged({ requires: { env: ["REGION"] } }, { trusted: false });
    expect(reasons(skill, host())).toEqual(["variable REGION"]);
    expect(reasons(skill, host(), { skills: { a: { env: { REGION: "eu" } } } })).toEqual([]);
  });

  test("ELIG-06: a setting that is on by default is on unless switched off", () => {
    const skill = judged({ requires: { config: ["browser.enabled"] } });
    expect(reasons(skill, host())).toEqual([]);
    expect(reasons(skill, host(), { values: { browser: { enabled: false } } })).toEqual([
      "setting browser.enabled",
    ]);
    const own = { skills: { a: { config: { browser: { enabled: true } } } } };
    expect(reasons(skill, host(), { ...own, values: { browser: { enabled: false } } })).toEqual([]);
  });

  test("other settings are off unless switched on; nothing is inherited from prototypes", () => {
    const skill = judged({ requires: { config: ["channels.chat", "constructor.name"] } });
    expect(reasons(skill, host())).toEqual(["setting channels.chat constructor.name"]);
    expect(reasons(skill, host(), { values: { channels: { chat: { token: "x" } } } })).toEqual([
      "setting constructor.name",
    ]);
  });

  test("a program that cannot be looked up counts as present", () => {
    const skill = judged({ requires: { bins: ["curl"], anyBins: ["a", "b"] } });
    expect(reasons(skill, { ...host(), hasProgram: () => undefined })).toEqual([]);
  });

  test("Python in the compatibility field is a required program; a plain skill requires nothing", () => {
    const python = { name: "p", frontmatter: { compatibility: "Needs Python 3.8 or newer." } };
    expect(neededPrograms(python.frontmatter)).toEqual(["python3"]);
    expect(reasons(python, host())).toEqual(["program python3"]);
    expect(reasons({ name: "x", frontmatter: {} }, host())).toEqual([]);
  });
});

describe("user settings", () => {
  test("ELIG-07: switching a skill off overrides always, and is the only reason", () => {
    const skill = judged({ always: true, os: ["darwin"] });
    expect(reasons(skill, host(), { skills: { a: { enabled: false } } })).toEqual(["disabled a"]);
  });

  test("ELIG-08: the list of bundled skills applies to bundled ones only", () => {
    const settings = { bundledSources: ["bundled"], allowBundled: ["b"] };
    expect(reasons(judged({}, { source: "bundled" }), host(), settings)).toEqual(["not-allowed a"]);
    expect(reasons(judged({}, { source: "project" }), host(), settings)).toEqual([]);
    expect(reasons(judged({}, { name: "b", source: "bundled" }), host(), settings)).toEqual([]);
  });

  test("ELIG-08: without a list all bundled skills are offered, with an empty one none", () => {
    const skill = judged({}, { source: "bundled" });
    expect(reasons(skill, host(), { bundledSources: ["bundled"] })).toEqual([]);
    expect(reasons(skill, host(), { bundledSources: ["bundled"], allowBundled: [] })).toHaveLength(1);
  });

  test("ELIG-09: the list and the settings use a key that differs from the name", () => {
    const skill = judged({ skillKey: "the-key" }, { source: "bundled" });
    const settings = { bundledSources: ["bundled"], allowBundled: ["the-key"] };
    expect(reasons(skill, host(), settings)).toEqual([]);
    expect(reasons(skill, host(), { skills: { "the-key": { enabled: false } } })).toEqual(["disabled a"]);
    expect(reasons(skill, host(), { skills: { a: { enabled: false } } })).toEqual(["disabled a"]);
  });
});

describe("the diagnostic", () => {
  test("names every reason, the remedy and the install command for this system, as text", () => {
    const skill = judged({
      requires: { bins: ["gh"], env: ["GH_TOKEN"] },
      install: [
        { kind: "brew", formula: "gh", os: ["darwin"] },
        { kind: "apt", package: "gh" },
        { kind: "node", package: "gh; rm -rf /" },
        { kind: "download", url: "https://example.com/gh.tgz" },
        { kind: "strange", package: "gh" },
        "not a map",
      ],
    });
    const diagnostic = ineligibleDiagnostic(skill, eligibility(skill, host()), { systems: ["linux"] });
    expect(diagnostic).toMatchObject({ code: "skill.ineligible", severity: "warning" });
    expect(diagnostic.message).toBe(
      'The skill "a" is left out: it needs "gh", which commands do not find; it needs the variable "GH_TOKEN", which its runs do not receive.',
    );
    expect(diagnostic.hint).toContain("apt-get install gh or download https://example.com/gh.tgz.");
    expect(diagnostic.hint).not.toMatch(/brew|rm -rf|strange/);
  });

  test("is only informational where the user chose so", () => {
    const skill = judged({});
    const answer = eligibility(skill, host(), { skills: { a: { enabled: false } } });
    expect(ineligibleDiagnostic(skill, answer, { systems: ["linux"] }).severity).toBe("info");
  });
});
