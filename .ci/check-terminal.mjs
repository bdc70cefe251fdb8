import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";
import { tmuxTerminal } from "./tmux-terminal.mjs";

const CHAT = `npm --prefix "${root}" run demo -- --chat --model offline`;
const SERVER = `npm --prefix "${root}" run demo -- --serve --port 0`;

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
        await until(/^You:$/m);
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
  await check("a chat ends with Ctrl-D", () =>
    on(project, CHAT, async ({ until, press, ends }) => {
      await until(/^You:$/m);
      await press("C-d");
      await ends(0);
    }),
  );
  await check("a chat ends when Ctrl-C is pressed twice", () =>
    on(project, CHAT, async ({ until, press, ends }) => {
      await until(/^You:$/m);
      await press("C-c");
      await until(/press Ctrl-C again/);
      await press("C-c");
      await ends(0);
    }),
  );
  await check("the server ends with Ctrl-C", () =>
    on(project, SERVER, async ({ until, press, ends }) => {
      await until(/^ +API /m);
      await press("C-c");
      await ends(0);
    }),
  );
  await check("kill of npm ends the server", () =>
    on(project, SERVER, async ({ until, pid, ends }) => {
      const [, api = ""] = (await until(/^ +API /m)).match(/^ +API +(\S+)/m) ?? [];
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
