import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { demo } from "../src/terminal/demo.js";
import { testTerminal } from "./test-terminal.js";

const theirs = {
  ".agents/skills/shout/SKILL.md": SHOUT["SKILL.md"],
  ".agents/skills/shout/shout.sh": SHOUT["shout.sh"],
  "note.txt": "hello\n",
};
const own = {
  "home/.agents/skills/shout/SKILL.md": SHOUT["SKILL.md"],
  "home/.agents/skills/shout/shout.sh": SHOUT["shout.sh"],
  "note.txt": "hello\n",
};
const never = new AbortController().signal;

test("approval of a project's skill is asked for once and stored, and applies where nobody can be asked", async () => {
  const { folder } = await saysYes(theirs);
  const later = await run(folder);
  expect(later.code).toBe(0);
  expect(later.shown).not.toContain("not trusted");
});

test("it ends with the content: a changed file asks again, and the refusal gives the remedy", async () => {
  const { folder } = await saysYes(theirs);
  await writeFile(join(folder, ".agents/skills/shout/shout.sh"), 'tr A-Z a-z < "$1"\n');
  const later = await run(folder);
  expect(later.code).toBe(1);
  expect(later.shown).toMatch(/was not approved yet[\s\S]*refused[\s\S]*--yes allows it/);
});

test("--yes is not a review of a skill, so it is not stored", async () => {
  const first = await testTerminal(theirs);
  expect((await run(first.folder, ["--yes"])).code).toBe(0);
  expect((await run(first.folder)).code).toBe(1);
});

test("one's own skill that asks because there is no sandbox does so once", async () => {
  const { folder } = await saysYes(own, ["--isolation", "none"]);
  expect((await run(folder, ["--isolation", "none"])).code).toBe(0);
});

test("where an approval cannot be stored it lasts for this start, and that is reported", async () => {
  const { shown, folder } = await saysYes({ ...theirs, "home/.skillwright/trust": "a file in its place" });
  expect(shown).toMatch(/! Approvals are not stored[\s\S]*home\/\.skillwright\/trust/);
  expect(await readdir(join(folder, "home/.skillwright"))).toContain("trust");
  expect((await run(folder)).code).toBe(1);
});

/** Runs the demo and approves; the question states how long the approval lasts. */
async function saysYes(files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const terminal = await testTerminal(files, { person: true });
  const running = demo(terminal.screen, await terminal.open(args), request, never);
  await terminal.until("Run it? [y/N]");
  expect(terminal.shown()).toContain("stored until the skill changes");
  terminal.type("y\n");
  expect(await running, terminal.shown()).toBe(0);
  return { folder: terminal.folder, shown: terminal.shown() };
}

/** A later start with the same project and home, without anybody to ask. */
async function run(folder: string, args: readonly string[] = []) {
  const terminal = await testTerminal({}, { folder });
  const code = await demo(terminal.screen, await terminal.open(args), request, never);
  return { code, shown: terminal.shown() };
}

const request = { request: "Write note.txt in capital letters", files: [] };
