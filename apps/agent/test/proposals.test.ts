import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openaiServer } from "../../../packages/agent/test/openai-server.js";
import { showBanner } from "../src/terminal/banner.js";
import { chat } from "../src/terminal/chat.js";
import { demo } from "../src/terminal/demo.js";
import { type TestTerminal, testTerminal } from "./test-terminal.js";

const NOTES = "---\nname: notes\ndescription: Takes notes.\n---\nWrite them down.\nKeep them short.\n";
const FOLDER = "home/.skillwright/skills";
const later = { skillTools: { manage: { review: "later" } } };
const files = {
  [`${FOLDER}/notes/SKILL.md`]: NOTES,
  "home/.skillwright/skillwright.config.json": JSON.stringify({ agent: later }),
};
const shorter = { action: "update", scope: "user", name: "notes", body: "Write them down.\nKeep them tiny." };
const fresh = {
  action: "create",
  scope: "user",
  name: "fresh",
  description: "Use when something is new.",
  body: "Say so.",
};

test("CMD-09: changes that wait are listed, shown with a diff, applied and refused by a command, also after a restart", async () => {
  const terminal = await testTerminal(files);
  const first = await managed(terminal, [shorter, fresh]);
  expect(first).toMatch(/skill_manage {2}[\s\S]*waits for your decision: \/proposals/);
  expect(await stored(terminal, "notes")).toContain("Keep them short.");

  const list = await chatted(terminal, ["/proposals"]);
  expect(list).toContain("2 changes of skills wait for your decision");
  const [, update = ""] =
    /([0-9a-f]{8}) {2}update {2}notes {2}home ~\/\.skillwright\/skills/.exec(list) ?? [];
  const [, create = ""] = /([0-9a-f]{8}) {2}create {2}fresh/.exec(list) ?? [];

  const unseen = await chatted(terminal, [`/proposals apply ${update}`]);
  expect(unseen).toContain(`Look at it first: /proposals ${update}`);
  expect(await stored(terminal, "notes")).toContain("Keep them short.");

  const shown = await chatted(terminal, [`/proposals ${update}`, `/proposals apply ${update}`]);
  expect(shown).toMatch(/changed {2}SKILL\.md[\s\S]*\n\s+-Keep them short\.\n\s+\+Keep them tiny\.\n/);
  expect(shown).toContain('The skill "notes" was changed.');
  expect(await stored(terminal, "notes")).toContain("Keep them tiny.");

  const refused = await chatted(terminal, [
    `/proposals refuse ${create}`,
    "/proposals",
    "/proposals 00000000",
  ]);
  expect(refused).toContain('The change to "fresh" was discarded.');
  expect(refused).toContain("No changes of skills wait for your decision.");
  expect(refused).toContain('No change that waits has an id that begins with "00000000"');
  await expect(stored(terminal, "fresh")).rejects.toMatchObject({ code: "ENOENT" });
});

test("a skill is created in a folder of the user that did not exist, once its change is applied", async () => {
  const config = "home/.skillwright/skillwright.config.json";
  const terminal = await testTerminal({ [config]: files[config] });
  await managed(terminal, [fresh]);
  const [, id = ""] = /([0-9a-f]{8}) {2}create {2}fresh/.exec(await chatted(terminal, ["/proposals"])) ?? [];
  const shown = await chatted(terminal, [`/proposals ${id}`, `/proposals apply ${id}`, "/skills"]);
  expect(shown).toMatch(/added {4}SKILL\.md[\s\S]*\+Say so\.[\s\S]*fresh home/);
  expect(await stored(terminal, "fresh")).toContain("Say so.");
});

test("APPR-35: the question about a change of a skill shows removed and added lines, and all of them on request", async () => {
  const asks = JSON.stringify({ agent: { skillTools: { manage: { review: "ask" } } } });
  const lines = Array.from({ length: 30 }, (_, index) => `Step ${index + 1}.`);
  const terminal = await testTerminal(
    { ...files, "home/.skillwright/skillwright.config.json": asks },
    { person: true },
  );
  const calls = [shorter, { ...fresh, body: lines.join("\n") }].map((change) => ({
    name: "skill_manage",
    arguments: JSON.stringify(change),
  }));
  const { baseURL } = await openaiServer([{ calls }, { text: "Done." }]);
  const app = await terminal.open([], { OPENAI_API_KEY: "key", OPENAI_BASE_URL: baseURL });
  const running = demo(terminal.screen, app, { request: "go", files: [] }, new AbortController().signal);
  await terminal.until("Write it? [y/N] ");
  expect(terminal.shown()).toMatch(
    /│ changed {2}SKILL\.md[\s\S]*│ {3}-Keep them short\.\n\s+│ {3}\+Keep them tiny\./,
  );
  terminal.type("y\n");
  await terminal.until("Write it? [y/N, a shows all of it] ");
  expect(terminal.shown()).not.toContain("+Step 15.");
  terminal.type("a\n");
  await terminal.until("Write it? [y/N] ");
  for (const line of lines) expect(terminal.shown()).toContain(`+${line}`);
  terminal.type("n\n");
  await running;
  expect(await stored(terminal, "notes")).toContain("Keep them tiny.");
  await expect(stored(terminal, "fresh")).rejects.toMatchObject({ code: "ENOENT" });
});

test("where no change waits for a decision, the command tells how to have that", async () => {
  const terminal = await testTerminal({});
  expect(await chatted(terminal, ["/proposals"])).toMatch(/"review":\s+"later"/);
});

/** Lets the model call skill_manage in one turn; what the terminal showed. */
async function managed(terminal: TestTerminal, changes: readonly object[]): Promise<string> {
  const calls = changes.map((change) => ({ name: "skill_manage", arguments: JSON.stringify(change) }));
  const { baseURL } = await openaiServer([{ calls }, { text: "Proposed." }]);
  return await chatted(terminal, ["Change my skills"], { OPENAI_API_KEY: "k", OPENAI_BASE_URL: baseURL });
}

/** What a new agent of the same project and user shows for these lines. */
async function chatted(
  { folder }: TestTerminal,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const terminal = await testTerminal({}, { folder });
  const app = await terminal.open(["--chat", "--isolation", "none"], env);
  showBanner(terminal.screen, app);
  terminal.type(`${lines.join("\n")}\n/quit\n`);
  await chat(terminal.screen, app, terminal.input);
  await app.close();
  return terminal.shown();
}

async function stored({ folder }: TestTerminal, name: string): Promise<string> {
  return await readFile(join(folder, FOLDER, name, "SKILL.md"), "utf8");
}
