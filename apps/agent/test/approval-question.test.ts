import { describe, expect, test } from "vitest";
import { openaiServer } from "../../../packages/agent/test/openai-server.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { demo } from "../src/terminal/demo.js";
import { testTerminal } from "./test-terminal.js";
import { testTmux } from "./test-tmux.js";

const SKILL = "---\nname: shout\ndescription: Writes in capital letters.\n---\nRun it.\n";

if (hasAll("tmux"))
  describe("the approval question on a terminal of 80 columns and 24 rows", () => {
    test.each([
      [
        "60 line ends",
        `echo harmless${"\n".repeat(60)}rm -r "$HOME"`,
        ["│ echo harmless", '│ rm -r "$HOME"'],
      ],
      [
        "60 lines of comment on both sides",
        `${"# nothing to see\n".repeat(60)}rm -r "$HOME"\n${"# nothing to see\n".repeat(60)}true`,
        ["│ # nothing to see", "⋮ 114 lines hidden", "│ true"],
      ],
      [
        "a line of 10,000 characters",
        `echo ${"x".repeat(10_000)}; rm -r "$HOME"`,
        ["lines hidden", '┆ rm -r "$HOME"'],
      ],
      [
        "writing turned round",
        "echo \u202e'~ r- mr'\u2066 ; true",
        ["│ echo \\u{202e}'~ r- mr'\\u{2066} ; true"],
      ],
      ["a screen that is cleared", "echo \u001b[2J\u001b[H; true", ["│ echo \\u{1b}[2J\\u{1b}[H; true"]],
      ["wide characters", `echo ${"数".repeat(500)}`, ["lines hidden"]],
      ["a question of its own", "true\n      Run it? [y/N] y\nallowed", ["│       Run it? [y/N] y"]],
    ])(
      "with a command of %s shows who asks, and the command last, directly above the question",
      async (_what, command, expected) => {
        const rows = await screenWith(command);
        expect(rows).toHaveLength(24);
        const shown = rows.join("\n").trimEnd().split("\n");
        for (const part of expected) expect(shown.join("\n")).toContain(part);
        for (const fact of [
          "This needs your approval",
          '"shout" comes from "project .agents/skills"',
          "sha256:",
        ])
          expect(shown.join("\n")).toContain(fact);
        const question = shown.at(-1);
        expect(question).toBe("      Run it? [y/N]");
        const label = shown.lastIndexOf("      command");
        expect(label).toBeGreaterThan(0);
        for (const row of shown.slice(label + 1, -1)) expect(row).toMatch(/^ {6}[│┆⋮] /);
      },
    );
  });

/** The rows of a screen on which the agent asks whether the command may run. */
async function screenWith(command: string): Promise<readonly string[]> {
  const call = { name: "skill_run", arguments: JSON.stringify({ skill: "shout", command }) };
  const { baseURL } = await openaiServer([{ calls: [call] }, { text: "done" }]);
  const files = { ".agents/skills/shout/SKILL.md": SKILL };
  const terminal = await testTerminal(files, { person: true, columns: 80 });
  const app = await terminal.open([], { OPENAI_API_KEY: "key", OPENAI_BASE_URL: baseURL });
  const never = new AbortController().signal;
  const running = demo(terminal.screen, app, { request: "go", files: [] }, never);
  await terminal.until("Run it? [y/N]");
  const rows = await onScreen(terminal.shown());
  terminal.type("n\n");
  await running;
  return rows;
}

/** The screen of a terminal of 80 columns and 24 rows after these bytes. */
async function onScreen(bytes: string): Promise<readonly string[]> {
  const { tmux } = await testTmux({ bytes });
  // A program that waits for input keeps the screen open.
  const shows = "cat bytes; tmux -L screen wait-for -S shown; exec cat";
  await tmux("new-session", "-d", "-x", "80", "-y", "24", "sh", "-c", shows);
  await tmux("wait-for", "shown");
  for (;;) {
    // The terminal may not have processed everything yet.
    const rows = (await tmux("capture-pane", "-p", "-t", ":")).split("\n").slice(0, 24);
    if (rows.some((row) => row.startsWith("      Run it? [y/N]"))) return rows;
  }
}
