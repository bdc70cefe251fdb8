import { describe, expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";
import { contactRecorder } from "./contact-recorder.js";

const HOME = "home/.skillwright/skillwright.config.json";
const PROJECT = "project/skillwright.config.json";
const COMMANDS = [
  ["list"],
  ["list", "--json"],
  ["inspect", "own"],
  ["doctor"],
  ["run", "own", "--isolation", "none", "echo ran"],
];

const elsewhere = (address: string) => ({
  bucket: "s3://team-skills/released",
  vendor: "oss://team-skills/released",
  site: `${address}/skills.zip`,
  index: { source: address, trusted: true },
  smart: `git+${address}/skills.git`,
  plain: `${address}/skills.git#main`,
  local: "git+file:///srv/skills.git",
  shell: "git+ssh://git@127.0.0.1/skills",
  short: "git@127.0.0.1:skills",
  mount: "/net/elsewhere/skills",
  above: "../../elsewhere",
});

describe("a cloned project whose configuration names remote sources", () => {
  test.each(COMMANDS.map((argv) => [argv.join(" "), argv] as const))(
    "causes no request and no git with %s",
    async (_shown, argv) => {
      const recorder = await contactRecorder();
      const repositories = elsewhere(recorder.address);
      const { cli, home } = await cliFixture({
        "home/.agents/skills/own/SKILL.md": skill("own"),
        "project/team/near/SKILL.md": skill("near"),
        [PROJECT]: JSON.stringify({ skills: { repositories: { ...repositories, team: "./team" } } }),
      });
      const { code, out, err } = await cli(argv, { env: { ...recorder.env, HOME: home } });
      expect(await recorder.contacts()).toEqual([]);
      expect(code).toBe(0);
      if (argv[0] === "list") expect(out).toContain("near");
      if (argv[0] === "list" || argv[0] === "doctor")
        for (const name of Object.keys(repositories))
          expect(out + err).toMatch(
            new RegExp(`\`skills\\.repositories\\.${name}\` .*trusted_projects`, "s"),
          );
    },
  );

  test("is contacted after the home's file trusts the project: the recorder sees git and a request signed with the user's key", async () => {
    const recorder = await contactRecorder();
    const { bucket, local } = elsewhere(recorder.address);
    const { cli, home, project, write } = await cliFixture({
      [PROJECT]: JSON.stringify({ skills: { repositories: { bucket, local } } }),
    });
    await write({ [HOME]: JSON.stringify({ trusted_projects: [project] }) });
    expect((await cli(["list"], { env: { ...recorder.env, HOME: home } })).code).toBe(0);
    const contacts = (await recorder.contacts()).join("\n");
    expect(contacts).toMatch(/^git /m);
    expect(contacts).toMatch(/^GET \/team-skills.*key-of-the-user/m);
  });

  test("a skill that such a source may have is not found, with the reason why the source was not contacted", async () => {
    const { cli } = await cliFixture({
      [PROJECT]: JSON.stringify({ skills: { repositories: { team: "s3://team-skills" } } }),
    });
    for (const argv of [
      ["inspect", "pdf"],
      ["run", "pdf", "true"],
    ]) {
      const { code, err } = await cli(argv);
      expect(code).toBe(1);
      expect(err).toContain('There is no skill "pdf"');
      expect(err).toContain("`skills.repositories.team`");
    }
  });
});

describe("an invalid entry in a cloned project's configuration", () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  test.each([
    ["an unknown scheme", { skills: { repositories: { bad: "ftp://x/y" } } }],
    ["a bucket that cannot be one", { skills: { repositories: { bad: "s3://B" } } }],
    ["an empty source", { skills: { repositories: { bad: " " } } }],
    ["a source of another type", { skills: { repositories: { bad: 5 } } }],
    ["a name with control characters", { skills: { repositories: { "bad\u001b[2J": "./team" } } }],
    ["a name without end", { skills: { repositories: { [`bad${"x".repeat(500)}`]: "./team" } } }],
    ["a field that does not exist", { skill: {} }],
    ["a number below its least", { skills: { max_index_chars: -1 } }],
    ["a list with one wrong value", { skills: { allow: ["own", 5] } }],
    ["a file that is a list", []],
    ["a file that is no JSON", "{"],
    ["an empty file", ""],
    ["a value of 5,000 nested lists", `{"skills": {"values": {"a": ${deep}}}}`],
    ["a file of 2 MiB", `{"tools": ["${"x".repeat(2 ** 21)}"]}`],
  ])("%s is reported and ends no command", async (_what, content) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    const { cli } = await cliFixture({
      "home/.agents/skills/own/SKILL.md": skill("own"),
      "project/.agents/skills/near/SKILL.md": skill("near"),
      [PROJECT]: text,
    });
    for (const argv of COMMANDS) {
      const { code, out, err } = await cli(argv);
      expect([argv, code, err]).toEqual([argv, 0, err]);
      if (argv[0] === "list") expect(out).toContain("near");
      if (argv[0] === "list" || argv[0] === "doctor")
        expect(out + err).toMatch(/skillwright\.config\.json.*(is ignored|is not valid|left out)/s);
    }
  });

  test("an unusable source of the home's file is reported too, and the others are available", async () => {
    const { cli } = await cliFixture({
      "home/.agents/skills/own/SKILL.md": skill("own"),
      [HOME]: JSON.stringify({ skills: { repositories: { bad: "ftp://x/y", worse: "git+https://" } } }),
    });
    for (const argv of COMMANDS) {
      const { code, out } = await cli(argv);
      expect([argv, code]).toEqual([argv, 0]);
      if (argv[0] === "doctor")
        for (const name of ["bad", "worse"]) expect(out).toContain(`"repository ${name}" are missing`);
    }
  });
});
