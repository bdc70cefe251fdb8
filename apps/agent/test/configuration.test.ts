import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "@skillwright/agent";
import { expect, test } from "vitest";
import { openaiServer } from "../../../packages/agent/test/openai-server.js";
import { showBanner } from "../src/terminal/banner.js";
import { testTerminal } from "./test-terminal.js";

const skill = (name: string, rest = "") =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${rest}---\nSay ${name}.`;

const FILE = "skillwright.config.json";
const files = {
  "bundled/shipped/SKILL.md": skill("shipped"),
  ".agents/skills/mine/SKILL.md": skill("mine"),
  "home/.agents/skills/own/SKILL.md": skill("own"),
  "team/helper/SKILL.md": skill("helper"),
};

test('LIST-10: with sources ["user"] the project\'s skills are absent, and the bundled ones', async () => {
  expect(await namesWith({ skills: { sources: ["user"] } })).toEqual(["own"]);
});

test("by default every place is used, and so are the sources of the configuration", async () => {
  expect(await namesWith({ skills: { repositories: { team: "./team" } } })).toEqual([
    "helper",
    "mine",
    "own",
    "shipped",
  ]);
});

test("allow and allow_bundled: absent allows all, empty allows none", async () => {
  expect(await namesWith({ skills: { allow: ["mine"] } })).toEqual(["mine"]);
  expect(await namesWith({ skills: { allow: [] } })).toEqual([]);
  expect(await namesWith({ skills: { allow_bundled: [] } })).toEqual(["mine", "own"]);
});

test("TOOL-07: with enabled false the model gets no index and no skill tools", async () => {
  const server = await openaiServer([{ text: "a" }, { text: "b" }]);
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.baseURL };
  for (const enabled of [true, false]) {
    const terminal = await testTerminal({ ...files, [FILE]: JSON.stringify({ skills: { enabled } }) });
    const app = await terminal.open([], env);
    await app.agent.chat("hello");
    await app.close();
  }
  const shown = server.requests.map(({ body: { messages, tools = [] } }) => [
    JSON.stringify(messages).includes("<available_skills>"),
    tools.some(({ function: { name } }) => name.startsWith("skill_")),
  ]);
  expect(shown).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(await namesWith({ skills: { enabled: false } })).toEqual([]);
});

test("LIST-23: a root added to the configuration is used from the next start, not while a session is open", async () => {
  const terminal = await testTerminal({ ...files, [FILE]: "{}" });
  const names = async (app: { agent: Agent }) =>
    (await app.agent.skills()).skills.map(({ name }) => name).filter((name) => name === "helper");
  const open = await terminal.open([]);
  await writeFile(
    join(terminal.folder, FILE),
    JSON.stringify({ skills: { repositories: { team: "./team" } } }),
  );
  expect(await names(open)).toEqual([]);
  expect(await names(await terminal.open([]))).toEqual(["helper"]);
});

test("a cloned project's file that names remote sources, or nonsense, does not prevent starting, and each is reported", async () => {
  const repositories = { team: "./team", bucket: "s3://team-skills", ftp: "ftp://x", number: 5 };
  const home = { skills: { repositories: { unusable: "ftp://y" } } };
  const terminal = await testTerminal({
    ...files,
    [FILE]: JSON.stringify({ skills: { repositories } }),
    "home/.skillwright/skillwright.config.json": JSON.stringify(home),
  });
  const app = await terminal.open([]);
  expect(app.snapshot.skills.map(({ name }) => name)).toEqual(["helper", "mine", "own", "shipped"]);
  showBanner(terminal.screen, app);
  for (const name of ["bucket", "ftp", "number", "unusable"]) expect(terminal.shown()).toContain(name);
});

async function namesWith(configuration: unknown): Promise<readonly string[]> {
  const terminal = await testTerminal({ ...files, [FILE]: JSON.stringify(configuration) });
  const app = await terminal.open([]);
  const names = app.snapshot.skills.map(({ name }) => name);
  await app.close();
  return names;
}
