import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { owned } from "../../../packages/runtime-local/test/owned.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { chat } from "../src/terminal/chat.js";
import { testTerminal } from "./test-terminal.js";

const TIDY = `---
name: tidy
description: Tidies the list in your own folder.
---
# Tidy

## Example

\`\`\`bash
sort work/project/list.txt -o work/project/list.txt
\`\`\`
`;

function makeFolder(base: string): string {
  chmodSync(base, 0o755);
  const folder = join(base, "mine");
  mkdirSync(folder);
  writeFileSync(join(folder, "list.txt"), "b\na\n");
  owned(folder, join(folder, "list.txt"));
  return folder;
}

if (hasAll("bubblewrap"))
  test("--workspace asks once for the folder; /diff shows what a turn changed there, and /undo takes it back", async () => {
    const terminal = await testTerminal({ "bundled/tidy/SKILL.md": TIDY }, { person: true });
    const folder = makeFolder(terminal.folder);
    const opening = terminal.open(["--chat", "--workspace", "mine"]);
    await terminal.until("Write it? [y/N]");
    expect(terminal.shown()).toContain("read, change and remove all files");
    terminal.type("y\n");
    const app = await opening;
    const chatting = chat(terminal.screen, app, terminal.input);
    terminal.type("/tidy the list in my folder\n/diff\n/undo\n/undo\n/quit\n");
    expect(await chatting).toBe(0);
    const shown = terminal.shown();
    expect(shown).toMatch(/changed {2}list\.txt\n\s+-b\n\s+a\n\s+\+b\n/);
    expect(shown).toMatch(/Brought\s+back:\s+1\./);
    expect(shown).toMatch(/There\s+is\s+no\s+snapshot/);
    expect(readFileSync(join(folder, "list.txt"), "utf8")).toBe("b\na\n");
    await app.close();
    const later = await testTerminal({}, { folder: terminal.folder });
    await later.open(["--chat", "--workspace", "mine"]);
    expect(later.shown()).not.toContain("needs your approval");
  });

test("/undo and /diff without a folder tell how to start with one", async () => {
  const terminal = await testTerminal({});
  const app = await terminal.open(["--chat"]);
  terminal.type("/undo\n/diff\n/quit\n");
  expect(await chat(terminal.screen, app, terminal.input)).toBe(0);
  expect(terminal.shown().match(/Start with --workspace FOLDER/g)).toHaveLength(2);
});

test("--workspace with containers says that they do not offer it", async () => {
  const terminal = await testTerminal({});
  const open = terminal.open(["--workspace", ".", "--runtime", "docker"]);
  await expect(open).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("--runtime local"),
  });
});
