import { expect, test } from "vitest";
import { testTerminal } from "./test-terminal.js";

const skill = (name: string, rest = "") =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${rest}---\nSay ${name}.`;

const files = {
  "bundled/shipped/SKILL.md": skill("shipped"),
  ".agents/skills/mine/SKILL.md": skill("mine"),
  "home/.agents/skills/own/SKILL.md": skill("own"),
  "team/helper/SKILL.md": skill("helper"),
};

test('PB-15: with sources ["user"] the project\'s skills are absent, and the bundled ones', async () => {
  const names = await namesWith({ skills: { sources: ["user"] } });
  expect(names).not.toContain("mine");
  expect(names).not.toContain("shipped");
});

test("without a word on it every place counts, and the sources of the configuration with them", async () => {
  expect(await namesWith({ skills: { repositories: { team: "./team" } } })).toEqual([
    "helper",
    "mine",
    "own",
    "shipped",
  ]);
});

test("allow and allow_bundled: absent is all, empty is none", async () => {
  expect(await namesWith({ skills: { allow: ["mine"] } })).toEqual(["mine"]);
  expect(await namesWith({ skills: { allow: [] } })).toEqual([]);
  expect(await namesWith({ skills: { allow_bundled: [] } })).toEqual(["mine", "own"]);
});

test("PB-16: with enabled false there is no skill at all", async () => {
  expect(await namesWith({ skills: { enabled: false } })).toEqual([]);
});

async function namesWith(configuration: unknown): Promise<readonly string[]> {
  const terminal = await testTerminal({ ...files, "skillwright.config.json": JSON.stringify(configuration) });
  const app = await terminal.open([]);
  const names = app.snapshot.skills.map(({ name }) => name);
  await app.close();
  return names;
}
