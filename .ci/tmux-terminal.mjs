import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { runCommand } from "../scripts/run-command.mjs";

const MOST_SECONDS = 120;

/**
 * Runs a command of the shell on a terminal of tmux, whose own server ends with `close`.
 *
 * @param {string} command
 * @param {{ cwd: string, home: string }} places
 */
export async function tmuxTerminal(command, { cwd, home }) {
  const folder = mkdtempSync(join(tmpdir(), "sw-terminal-"));
  const file = (/** @type {string} */ name) => readFileSync(join(folder, name), "utf8").trim();
  const env = {
    ...process.env,
    ...{ HOME: home, TERMINAL: folder, TMUX_TMPDIR: folder, LC_ALL: "C.UTF-8" },
    npm_config_update_notifier: "false",
  };
  const tmux = async (/** @type {string[]} */ ...args) =>
    (await runCommand("tmux", ["-u", "-f", "/dev/null", "-L", "screen", ...args], { env })).stdout;
  const start = [
    'stty -g > "$TERMINAL/before"',
    `sh -c 'echo $$ > "$TERMINAL/pid"; exec ${command}'`,
    "code=$?",
    'stty -g > "$TERMINAL/after"',
    // On a line of its own, also after a prompt.
    'printf "\\nended with %s\\n" "$code"',
    // The screen stays.
    "exec cat",
  ];
  writeFileSync(join(folder, "start"), start.join("\n"));
  await tmux("new-session", "-d", "-x", "120", "-y", "200", "-c", cwd, "sh", join(folder, "start"));

  const screen = async () => (await tmux("capture-pane", "-p", "-J", "-t", ":")).trimEnd();

  /** Resolves to the screen with the text, which may be there already. */
  async function until(/** @type {RegExp} */ text) {
    const started = performance.now();
    for (;;) {
      const shown = await screen();
      if (text.test(shown)) return shown;
      const isOver = performance.now() - started > MOST_SECONDS * 1000;
      if (isOver) throw new Error(`${text} did not appear in ${MOST_SECONDS} s. The screen:\n${shown}`);
      await wait(50);
    }
  }

  return {
    until,
    /** Process id of the command. */
    pid: () => Number(file("pid")),
    /** Presses keys by the names that tmux gives them. */
    press: async (/** @type {string[]} */ ...keys) => void (await tmux("send-keys", "-t", ":", ...keys)),
    /** Types a line and submits it. */
    type: async (/** @type {string} */ line) => {
      await tmux("send-keys", "-t", ":", "-l", line);
      await tmux("send-keys", "-t", ":", "Enter");
    },
    /** Marks the text as pasted where the program asked for it, as terminals do. */
    paste: async (/** @type {string} */ text) => {
      await tmux("set-buffer", text);
      await tmux("paste-buffer", "-p", "-t", ":");
    },
    /** The command ends by itself with this code, and leaves the mode of the terminal as it was. */
    ends: async (/** @type {number} */ code) => {
      const shown = await until(/^ended with \d+$/m);
      assert.equal(/^ended with (\d+)$/m.exec(shown)?.[1], String(code), shown);
      assert.equal(file("after"), file("before"), "the mode of the terminal (stty -g) is another one");
    },
    close: async () => {
      await tmux("kill-server");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
