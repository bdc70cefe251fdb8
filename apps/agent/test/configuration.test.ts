import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "@skillwright/agent";
import { expect, onTestFinished, test, vi } from "vitest";
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

test.each([
  ["root", { root: 5 }],
  ["hostFolder", { hostFolder: "here" }],
  ["skillCopies", { skillCopies: "some" }],
])(
  "AGENT-10: a wrong sandbox.%s of the agent is refused by its name, and no runtime is opened",
  async (field, sandbox) => {
    const terminal = await testTerminal({
      "home/.skillwright/skillwright.config.json": JSON.stringify({ agent: { sandbox } }),
    });
    await expect(terminal.open(["--chat"])).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(
        new RegExp(`skillwright\\.config\\.json[\\s\\S]*- agent\\.sandbox\\.${field}: given`),
      ),
    });
  },
);

test("a folder of the user without its path is refused before a runtime is opened", async () => {
  const file = JSON.stringify({ agent: { sandbox: { hostFolder: { undo: false } } } });
  const terminal = await testTerminal({ "home/.skillwright/skillwright.config.json": file });
  await expect(terminal.open(["--chat"])).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("- sandbox.hostFolder.path: given nothing"),
  });
});

test("AGENT-13: the file decides where commands run, unless the command line does", async () => {
  vi.stubEnv("DOCKER_HOST", "unix:///nowhere.sock");
  onTestFinished(() => void vi.unstubAllEnvs());
  const terminal = await withAgent({ sandbox: { isolation: "none" } });
  expect((await terminal.open([])).isolation).toEqual({
    level: "none",
    by: 'isolation "none" was requested',
  });
  await expect(terminal.open(["--runtime", "docker"])).rejects.toThrow("nowhere.sock");
  const docker = await withAgent({ sandbox: { kind: "docker", isolation: "none" } });
  await expect(docker.open([])).rejects.toThrow("nowhere.sock");
  expect((await docker.open(["--runtime", "local"])).isolation.level).toBe("none");
});

test("AGENT-13: the file names the model, unless the command line does; its key comes from the variable", async () => {
  const server = await openaiServer([{ text: "a" }]);
  const modelConfig = { provider: "openai", model: "own", baseURL: server.baseURL, systemPrompt: false };
  const terminal = await withAgent({ modelConfig });
  const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
  const app = await terminal.open([], env);
  expect(app.model).toMatchObject({ provider: "openai", model: "own" });
  await app.agent.chat("hello");
  expect(server.requests[0]?.body).toMatchObject({ model: "own" });
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain('"role":"system"');
  expect((await terminal.open(["--model", "anthropic:other"], env)).model).toMatchObject({ model: "other" });
  await expect(terminal.open([])).rejects.toThrow("OPENAI_API_KEY is not set");
});

test("AGENT-13: a key in the configuration file is refused, and not shown", async () => {
  const terminal = await withAgent({ modelConfig: { provider: "openai", apiKey: "sk-hidden" } });
  const error = await terminal.open([]).catch((failure: Error) => failure);
  expect(error).toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("agent.modelConfig.apiKey"),
  });
  expect(String(error)).not.toContain("sk-hidden");
});

function withAgent(agent: object) {
  return testTerminal({
    "bundled/shipped/SKILL.md": skill("shipped"),
    "home/.skillwright/skillwright.config.json": JSON.stringify({ agent }),
  });
}

async function namesWith(configuration: unknown): Promise<readonly string[]> {
  const terminal = await testTerminal({ ...files, [FILE]: JSON.stringify(configuration) });
  const app = await terminal.open([]);
  const names = app.snapshot.skills.map(({ name }) => name);
  await app.close();
  return names;
}
