import type { Diagnostic } from "@skillwright/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { nodeFinding, workspaceFindings } from "../src/doctor/check-machine.js";
import { cliFixture, skill } from "./cli-fixture.js";

test("doctor reports Node, shell, sandbox, Python, temporary directory and disk, and ends with a verdict", async () => {
  const { cli } = await cliFixture();
  const { code, out } = await cli(["doctor"]);
  expect(code).toBe(0);
  for (const check of ["Node", "bash", "sandbox", "python3", "workspaces", "containers", "disk"])
    expect(out).toMatch(new RegExp(`^ {2}[✔!] ${check} `, "m"));
  expect(out).toContain(process.versions.node);
  expect(out).toMatch(/Ready\b.*\n$/);
});

test("doctor reports each place, and why skills are broken or hidden", async () => {
  const { cli } = await cliFixture({
    "home/.agents/skills/same/SKILL.md": skill("same"),
    "project/.agents/skills/same/SKILL.md": skill("same"),
    "project/.agents/skills/bad/SKILL.md": "---\nname: bad\n---\n",
  });
  const { code, out } = await cli(["doctor", "--skills", "nowhere"]);
  expect(code).toBe(0);
  expect(out).toMatch(/! --skills nowhere +the folder .* does not exist/);
  expect(out).toMatch(/✔ home ~\/\.agents\/skills +1 skill in use/);
  expect(out).toMatch(/! project \.agents\/skills +0 skills in use, 1 broken, not trusted/);
  expect(out).toContain("bad: The skill has no description.");
  expect(out).toMatch(/! hidden +The skill "same"/);
});

test("if no workspace can be created, doctor reports not ready, names the setting, and exits with 1", async () => {
  const { cli, project } = await cliFixture({ "project/file": "no folder" });
  vi.stubEnv("TMPDIR", `${project}/file`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, out } = await cli(["doctor"]);
  expect(code).toBe(1);
  expect(out).toMatch(/✘ workspaces .*\n.*TMPDIR/);
  expect(out).toMatch(/Not ready, missing: workspaces\.\n$/);
});

const isolation = { level: "none", by: "bwrap is not there" } as const;
const bare = { isolation, bash: "", python: "", durationMs: 5 };

/** As a runtime reports it. */
function notIsolated(hint: string): Diagnostic {
  return { code: "isolation.none", severity: "warning", message: "Commands are not isolated.", hint };
}

test("the remedy for a missing sandbox is the runtime's, which knows the reason, and is shown once", () => {
  const told = {
    code: "supervisor.missing",
    severity: "warning",
    message: "No supervisor.",
    hint: "Get it.",
  } as const;
  const hint = "Allow more user namespaces: `sysctl -w user.max_user_namespaces=10000`.";
  const findings = workspaceFindings({ ...bare, diagnostics: [told, notIsolated(hint)] });
  expect(findings.find(({ check }) => check === "sandbox")).toEqual({
    check: "sandbox",
    state: "limited",
    message: "none: bwrap is not there",
    remedy: hint,
    details: ["No supervisor. Get it. (supervisor.missing)"],
  });
});

test("optional missing programs get a line for apt-get", () => {
  const findings = workspaceFindings({
    ...bare,
    diagnostics: [notIsolated("Install it: `apt-get install bubblewrap`.")],
  });
  expect(findings.map(({ check, state }) => [check, state])).toEqual([
    ["workspaces", "ok"],
    ["sandbox", "limited"],
    ["bash", "limited"],
    ["python3", "limited"],
  ]);
  for (const program of ["bubblewrap", "bash", "python3"])
    expect(findings.some(({ remedy }) => remedy?.includes(`apt-get install ${program}`))).toBe(true);
  expect(findings[1]?.message).toBe("none: bwrap is not there");
});

test("--json contains the same for programs", async () => {
  const { cli } = await cliFixture({ "home/.agents/skills/a/SKILL.md": skill("a") });
  const printed = JSON.parse((await cli(["doctor", "--json"])).out);
  expect(printed).toMatchObject({ formatVersion: 1, ready: true });
  expect(printed.machine[0]).toEqual({ check: "Node", state: "ok", message: process.versions.node });
  expect(printed.places).toContainEqual({
    check: "home ~/.agents/skills",
    state: "ok",
    message: "1 skill in use",
  });
});

test.each([
  ["20.20.2", "missing"],
  ["22.12.0", "missing"],
  ["22.13.0", "ok"],
  ["24.0.0", "ok"],
])("Node %s is %s", (version, state) => {
  expect(nodeFinding(version).state).toBe(state);
});

test("an engine that does not answer is reported with its address; skills still run without one", async () => {
  vi.stubEnv("DOCKER_HOST", "unix:///nowhere/engine.sock");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { cli } = await cliFixture();
  const { code, out } = await cli(["doctor"]);
  expect(code).toBe(0);
  expect(out).toMatch(/! containers .*\/nowhere\/engine\.sock/);
});
