import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import type { App } from "../src/terminal/app.js";
import { demo } from "../src/terminal/demo.js";
import { testTerminal } from "./test-terminal.js";

/**
 * Starts the agent with these arguments, has it run a skill on an uploaded file, and checks the isolation and the saved output.
 * Returns the agent, which is still open. `files` are written to the project's directory before.
 */
export async function shoutJob(
  args: readonly string[],
  { level, files = {} }: { readonly level: string; readonly files?: Readonly<Record<string, string>> },
): Promise<App> {
  const terminal = await testTerminal({
    ...files,
    "bundled/shout/SKILL.md": SHOUT["SKILL.md"],
    "bundled/shout/shout.sh": SHOUT["shout.sh"],
    "notes/my note.txt": "hello\n",
  });
  const app = await terminal.open(args);
  expect(app.isolation.level).toBe(level);
  const request = 'Write "notes/my note.txt" in capital letters';
  const code = await demo(terminal.screen, app, { request, files: [] }, new AbortController().signal);
  const shown = terminal.shown();
  expect(code, shown).toBe(0);
  expect(shown).toContain(`exit code 0, isolation: ${level} (`);
  const saved = /\nSaved:\n {2}(\/.*)\n/.exec(shown)?.[1] ?? "";
  expect(await readFile(saved, "utf8")).toBe("HELLO\n");
  return app;
}
