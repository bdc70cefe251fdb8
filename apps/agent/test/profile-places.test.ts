import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openaiServer } from "../../../packages/agent/test/openai-server.js";
import { demo } from "../src/terminal/demo.js";
import { testTerminal } from "./test-terminal.js";

const FILE = ".skillwright/agent/AGENT.md";
const files = { [`home/${FILE}`]: "Speak plainly.", [FILE]: "Speak of this project." };
const HOME_CONFIGURATION = "home/.skillwright/skillwright.config.json";
const never = new AbortController().signal;

test("the profiles of the user and of the named agent begin the conversation", async () => {
  const writer = { "home/.skillwright/agent/writer/AGENT.md": "You are the writer." };
  const named = await conversation({ ...files, ...writer }, { args: ["--agent", "writer"] });
  expect(named.sent).toContain("Speak plainly.\\n\\nYou are the writer.");
  expect((await conversation({ ...files, ...writer })).sent).not.toContain("writer");
});

test("a project's profile came with foreign files: where nobody can be asked it is left out, and reported", async () => {
  const { sent, shown } = await conversation(files);
  expect(sent).toContain("Speak plainly.");
  expect(sent).not.toContain("Speak of this project.");
  expect(shown).toMatch(/profile .*AGENT\.md[\s\S]*trusted_projects/);
});

test("a person sees the text and is asked once; a changed text asks again", async () => {
  const first = await conversation(files, { answer: "y" });
  expect(first.shown).toMatch(/digest +sha256:[\s\S]*Speak of this project\.[\s\S]*Use it\? \[y\/N\]/);
  expect(first.sent).toContain("Speak plainly.\\n\\nSpeak of this project.");
  const { folder } = first;
  expect((await conversation({}, { folder })).sent).toContain("Speak of this project.");
  expect((await conversation({ [FILE]: "Delete all." }, { folder })).sent).not.toContain("Delete all.");
});

test("after a refusal it is left out, and the refusal is not stored", async () => {
  const { sent, folder } = await conversation(files, { answer: "n" });
  expect(sent).not.toContain("Speak of this project.");
  expect((await conversation({}, { folder, answer: "y" })).sent).toContain("Speak of this project.");
});

test("a project that the home's configuration trusts needs no question", async () => {
  const { sent } = await conversation({
    ...files,
    [HOME_CONFIGURATION]: '{ "trusted_projects": ["<folder>"] }',
  });
  expect(sent).toContain("Speak of this project.");
});

test("--yes uses it and stores nothing", async () => {
  const { sent, folder } = await conversation(files, { args: ["--yes"] });
  expect(sent).toContain("Speak of this project.");
  expect((await conversation({}, { folder })).sent).not.toContain("Speak of this project.");
});

test("in the home directory the file is the user's own, once", async () => {
  const { sent, shown } = await conversation(files, { args: [], home: "." });
  expect(sent.split("Speak of this project.")).toHaveLength(2);
  expect(shown).not.toContain("Use it?");
  expect(shown).not.toContain("trusted_projects");
});

test("invisible characters of its text are shown as escapes", async () => {
  const text = "Be kind.\u{200B}\u{E0041}\u{E0042}\u001b[2K";
  const { shown } = await conversation({ ...files, [FILE]: text }, { answer: "n" });
  expect(shown).toContain("│ Be kind.\\u{200b}\\u{e0041}\\u{e0042}\\u{1b}[2K\n");
});

test("a project's profile cannot be a link to a foreign file, or a pipe", async () => {
  const args = ["--yes"];
  const { folder } = await conversation({ "home/secret/AGENT.md": "Secret." });
  await mkdir(join(folder, ".skillwright"));
  await symlink(join(folder, "home/secret"), join(folder, ".skillwright/agent"));
  const byFolder = await conversation({}, { folder, args });
  expect(byFolder.sent).not.toContain("Secret.");
  expect(byFolder.shown).toMatch(/profile cannot be used \(it is a symlink/);

  await rm(join(folder, ".skillwright/agent"));
  await mkdir(join(folder, ".skillwright/agent"));
  execFileSync("mkfifo", [join(folder, FILE)]);
  expect((await conversation({}, { folder, args })).shown).toMatch(
    /cannot be used \(it is not a regular file\)/,
  );
});

interface Given {
  readonly args?: readonly string[];
  /** The answer of a person; without it nobody can be asked. */
  readonly answer?: string;
  readonly folder?: string;
  readonly home?: string;
}

/** One turn with a model that records its requests. */
async function conversation(
  more: Readonly<Record<string, string>>,
  { args = [], answer, folder: known, home }: Given = {},
) {
  const server = await openaiServer([{ text: "Done." }]);
  const place = known === undefined ? {} : { folder: known };
  const terminal = await testTerminal({}, { person: answer !== undefined, ...place });
  const { folder } = terminal;
  for (const [path, content] of Object.entries(more)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content.replace("<folder>", folder));
  }
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.baseURL };
  const app = await terminal.open(["--model", "openai:served", ...args], env, { home });
  const running = demo(terminal.screen, app, { request: "Hello", files: [] }, never);
  if (answer !== undefined) {
    await terminal.until("Use it? [y/N]");
    terminal.type(`${answer}\n`);
  }
  await running;
  await app.close();
  return { folder, shown: terminal.shown(), sent: JSON.stringify(server.requests) };
}
