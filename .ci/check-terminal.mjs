import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";
import { tmuxTerminal } from "./tmux-terminal.mjs";

const CHAT = `npm --prefix "${root}" run demo -- --chat --model offline`;
const SERVER = `npm --prefix "${root}" run demo -- --serve --port 0`;
const PROMPT = /^You:$/m;
const ADDRESS = /^ +API +(\S+)$/m;

/** Comes with the project, so that it asks before its first run. */
const SKILL = `---
name: shout
description: Writes in capital letters.
---
## Example

\`\`\`bash
echo shouted | tr a-z A-Z
\`\`\`
`;

/**
 * Runs `npm run demo` on a terminal as a person does. Whatever ends it, the shell comes back and its terminal is as before.
 *
 * @param {ReturnType<typeof import("../scripts/checks.mjs").checks>["check"]} check
 */
export async function checkTerminal(check) {
  const folder = mkdtempSync(join(tmpdir(), "sw-person-"));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(home);
  mkdirSync(join(project, ".agents/skills/shout"), { recursive: true });
  writeFileSync(join(project, ".agents/skills/shout/SKILL.md"), SKILL);

  /** @param {(terminal: Awaited<ReturnType<typeof tmuxTerminal>>) => Promise<void>} use */
  async function on(cwd, command, use) {
    const terminal = await tmuxTerminal(command, { cwd, home });
    try {
      await use(terminal);
    } finally {
      await terminal.close();
    }
  }

  await check("on a terminal npm run demo ends by itself", () =>
    on(root, "npm run demo", async ({ until, ends }) => {
      await until(/Done in/);
      await ends(0);
    }),
  );
  await check(
    "a chat asks for an approval, takes a paste of three lines as one turn, and ends with /quit",
    () =>
      on(project, CHAT, async ({ until, type, paste, press, ends }) => {
        await until(PROMPT);
        await type("Write it in capital letters");
        await until(/Run it\? \[y\/N\]$/);
        await type("y");
        await until(/SHOUTED[\s\S]*^You:$/m);
        await paste("alpha\nbeta\ngamma");
        await until(/^You: alpha↵beta↵gamma$/m);
        await press("Enter");
        const shown = await until(/^You: alpha↵beta↵gamma[\s\S]*^You:$/m);
        assert.equal(shown.match(/^You:/gm)?.length, 3, `more turns than requests:\n${shown}`);
        await type("/quit");
        await ends(0);
      }),
  );
  for (const { name, command, ready, keys } of [
    { name: "a chat ends with Ctrl-D", command: CHAT, ready: PROMPT, keys: ["C-d"] },
    { name: "a chat ends when Ctrl-C is pressed twice", command: CHAT, ready: PROMPT, keys: ["C-c", "C-c"] },
    { name: "the server ends with Ctrl-C", command: SERVER, ready: ADDRESS, keys: ["C-c"] },
  ])
    await check(name, () =>
      on(project, command, async ({ until, press, ends }) => {
        await until(ready);
        await press(...keys);
        await ends(0);
      }),
    );
  await check("kill of npm ends the server", () =>
    on(project, SERVER, async ({ until, pid, ends }) => {
      const [, api = ""] = (await until(ADDRESS)).match(ADDRESS) ?? [];
      assert.ok((await fetch(api)).ok);
      process.kill(await takesSignals(pid()), "SIGTERM");
      await ends(0);
      await assert.rejects(fetch(api), "the server still answers");
    }),
  );
  rmSync(folder, { recursive: true, force: true });
}

/** npm 9 ignores signals and hands none on, so its child gets this one. */
async function takesSignals(npm) {
  const { stdout } = await runCommand("npm", ["--version"]);
  if (!stdout.startsWith("9.")) return npm;
  return Number((await runCommand("pgrep", ["-P", String(npm)])).stdout);
}
