import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const commands = ["list", "inspect", "new", "validate", "pack", "unpack", "run", "doctor"];

test("--help names every command, and each command has its own help", async () => {
  const { cli } = await cliFixture();
  const { code, out } = await cli(["--help"]);
  expect(code).toBe(0);
  for (const command of commands) {
    expect(out).toContain(command);
    const help = await cli([command, "--help"]);
    expect(help.code, command).toBe(0);
    expect(help.out, command).toContain(`Usage: skillwright ${command}`);
    expect(help.out, command).toContain("--debug");
    expect(help.out, command).not.toContain("[]");
  }
});

test("--version prints a version", async () => {
  const { cli } = await cliFixture();
  expect(await cli(["--version"])).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
    err: "",
  });
});

test.each([
  ["an unknown command", ["lits"], "Did you mean list?"],
  ["an unknown option", ["list", "--all"], "--all"],
  ["no command", [], "Usage: skillwright"],
  ["no skill to run", ["run"], "missing required argument 'skill'"],
  ["a bad choice", ["validate", "--format", "xml"], "text, json, sarif, github"],
  ["a bad profile", ["validate", "--profile", "strict"], "spec, client, portable"],
  ["a bad time", ["run", "--timeout", "soon", "a", "b"], "30s or 2m"],
  ["a time beyond the limit", ["run", "--timeout", "11m", "a", "b"], "at most 10m"],
])("a command line with %s exits with 2 and says what is valid", async (_, argv, told) => {
  const { cli } = await cliFixture();
  const { code, out, err } = await cli(argv);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(told);
});

test("errors are a message with a remedy; --debug before or after the command adds the stack", async () => {
  const { cli } = await cliFixture({ "project/.agents/skills/pdf/SKILL.md": skill("pdf") });
  const plain = await cli(["inspect", "pdff"]);
  expect(plain).toMatchObject({ code: 1, out: "" });
  expect(plain.err).toContain("pdff");
  expect(plain.err).toContain("pdf");
  expect(plain.err).toContain("SKILL_NOT_FOUND");
  expect(plain.err).not.toMatch(/^\s+at /m);
  for (const argv of [
    ["--debug", "inspect", "pdff"],
    ["inspect", "pdff", "--debug"],
  ])
    expect((await cli(argv)).err).toMatch(/^\s+at /m);
});

test("colours are used on terminals, unless NO_COLOR is set", async () => {
  const { cli, home } = await cliFixture({ "home/.agents/skills/a/SKILL.md": skill("a") });
  const env = { HOME: home, TERM: "xterm" };
  const coloured = "\u001b[1m";
  expect((await cli(["list"], { terminal: 80 })).out).toContain(coloured);
  for (const changes of [
    {},
    { terminal: 80, env: { ...env, NO_COLOR: "1" } },
    { terminal: 80, env: { ...env, TERM: "dumb" } },
  ])
    expect((await cli(["list"], changes)).out).not.toContain("\u001b");
});

test("an interrupted command exits with 130", async () => {
  const { cli } = await cliFixture({ "home/.agents/skills/a/SKILL.md": skill("a") });
  expect((await cli(["list"], { signal: AbortSignal.abort() })).code).toBe(130);
});

test.each([
  ["a skill that is not there", ["inspect", "absent", "--json"], 1, "SKILL_NOT_FOUND", "absent"],
  ["a bad configuration", ["list", "--json"], 1, "CONFIG_INVALID", "skillwright.config.json"],
  ["an unknown option", ["list", "--json", "--all"], 2, "USAGE", "--all"],
  ["a folder that is not there", ["validate", "absent", "--format", "json"], 1, undefined, "absent"],
])("%s is printed as JSON on standard output", async (_, argv, expected, errorCode, named) => {
  const { cli } = await cliFixture(
    errorCode === "CONFIG_INVALID" ? { "home/.skillwright/skillwright.config.json": "{ no" } : {},
  );
  const { code, out } = await cli(argv);
  const { formatVersion, error } = JSON.parse(out);
  expect([code, formatVersion, error.code]).toEqual([expected, 1, errorCode ?? error.code]);
  expect(error.message).toContain(named);
});

test("--json in the command to run belongs to that command", async () => {
  const { cli } = await cliFixture();
  const { out, err } = await cli(["run", "absent", "--", "tool", "--json"]);
  expect([out, err]).toEqual(["", expect.stringContaining("absent")]);
});
