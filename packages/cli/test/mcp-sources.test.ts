import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { idsIn, oddCommand, untilEnded } from "../../repository-mcp/test/odd-servers.js";
import { cliFixture, skill } from "./cli-fixture.js";
import { contactRecorder } from "./contact-recorder.js";

const HOME = "home/.skillwright/skillwright.config.json";
const PROJECT = "project/skillwright.config.json";

/** Offers the skill "one". The program writes its process id to `mark`. */
const server = (mark: string) => addressOf(...oddCommand("honest", mark));

/** As a person writes it, where the folder of the project may have a blank in its name. */
const addressOf = (...words: readonly string[]) =>
  `mcp+stdio:${words.map((word) => word.replaceAll("%", "%25").replaceAll(" ", "%20")).join(" ")}`;

const naming = (repositories: unknown, more = {}) => JSON.stringify({ skills: { repositories }, ...more });

describe("an MCP server that a cloned project names", () => {
  test.each([["list"], ["list", "--json"], ["inspect", "one"], ["doctor"], ["mcp"]])(
    "is neither started nor contacted with %s %s (MCP-24)",
    async (...argv) => {
      const recorder = await contactRecorder();
      const { cli, home, project, write } = await cliFixture();
      const mark = join(project, "mark");
      const site = `mcp+${recorder.address}/mcp`;
      await write({ [PROJECT]: naming({ program: { source: server(mark), trusted: true }, site }) });
      const { out, err } = await cli(argv, { env: { ...recorder.env, HOME: home }, terminal: 100 });
      expect([existsSync(mark), await recorder.contacts()]).toEqual([false, []]);
      if (argv[0] === "list" || argv[0] === "doctor")
        for (const [name, why] of [
          ["program", "would be started"],
          ["site", "would be contacted"],
        ])
          expect(out + err).toMatch(
            new RegExp(`\`skills\\.repositories\\.${name}\` .*${why}.*trusted_projects`, "s"),
          );
    },
  );

  test("is started once the home's file trusts the project; its skills stay untrusted, and it has ended with the command (MCP-24)", async () => {
    const { cli, project, write } = await cliFixture();
    const mark = join(project, "mark");
    await write({ [PROJECT]: naming({ team: server(mark) }) });
    await write({ [HOME]: JSON.stringify({ trusted_projects: [project] }) });
    const { code, out } = await cli(["list", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out).skills).toMatchObject([
      { name: "one", source: "repository team", trusted: false },
    ]);
    await untilEnded(await idsIn(mark));
  });

  test("is not started from a lock file, and cannot be locked (MCP-24)", async () => {
    const { cli, project, write } = await cliFixture({ "project/team/one/SKILL.md": skill("one") });
    const mark = join(project, "mark");
    expect((await cli(["lock", "./team"])).code).toBe(0);
    const path = join(project, "skills.lock.json");
    const lock = await readFile(path, "utf8");
    await write({ "project/skills.lock.json": lock.replaceAll('"./team"', JSON.stringify(server(mark))) });
    const installed = await cli(["install"]);
    expect([installed.code, installed.err]).toEqual([1, expect.stringContaining("names no programs")]);
    const locked = await cli(["lock", server(mark)]);
    expect([locked.code, locked.err]).toEqual([1, expect.stringContaining("names no programs")]);
    expect(existsSync(mark)).toBe(false);
  });
});

describe("an MCP server that a person names", () => {
  test("takes no name of a skill of the project, though named first (MCP-20, MCP-24)", async () => {
    const { cli, project } = await cliFixture({
      "project/.agents/skills/one/SKILL.md": skill("one", "The project's own."),
    });
    const { out } = await cli(["list", "--json", "--skills", server(join(project, "mark"))]);
    const { skills, diagnostics } = JSON.parse(out);
    expect(skills).toMatchObject([{ name: "one", source: "project .agents/skills" }]);
    expect(JSON.stringify(diagnostics)).toContain("never hides a skill of another one");
  });

  test("gets the variables that the configuration names, and no argument of it is shown (MCP-23, MCP-24)", async () => {
    const { cli, home, project, write } = await cliFixture();
    const mark = join(project, "variables");
    const script = `env > "${mark}"; exec '${oddCommand("honest", join(project, "ids")).join("' '")}'`;
    const env = { API_KEY: { from: "TEAM_KEY" }, REGION: "eu", MISSING: { from: "NOT_SET" } };
    await write({
      [HOME]: naming({
        team: { source: addressOf("sh", "-c", script), env },
        folder: { source: "~/team", env: { A: "b" } },
      }),
    });
    const { out, err } = await cli(["list"], {
      env: { PATH: process.env["PATH"], HOME: home, TERM: "xterm", TEAM_KEY: "k-of-the-team" },
    });
    expect(out).toContain("one");
    const seen = (await readFile(mark, "utf8")).split("\n");
    expect(seen).toEqual(expect.arrayContaining(["API_KEY=k-of-the-team", "REGION=eu"]));
    expect(seen.map((line) => line.split("=")[0])).not.toContain("TEAM_KEY");
    expect(err).toContain("skills.repositories.team.env.MISSING");
    expect(err).toContain("skills.repositories.folder.env");
    expect(out + err).not.toContain("odd-server");
  });

  test("is no place to publish to (MCP-24)", async () => {
    const { cli, project } = await cliFixture({ "project/one/SKILL.md": skill("one") });
    const mark = join(project, "mark");
    const { code, err } = await cli(["publish", "./one", "--to", server(mark)]);
    expect([code, err]).toEqual([1, expect.stringContaining("cannot be published to an MCP server")]);
    expect(existsSync(mark)).toBe(false);
  });

  test("is trusted where its entry says so (MCP-24)", async () => {
    const { cli, project, write } = await cliFixture();
    await write({ [HOME]: naming({ team: { source: server(join(project, "mark")), trusted: true } }) });
    expect(JSON.parse((await cli(["list", "--json"])).out).skills).toMatchObject([{ trusted: true }]);
  });
});
