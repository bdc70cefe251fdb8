import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { showBanner } from "../src/terminal/banner.js";
import { demo } from "../src/terminal/demo.js";
import { testTerminal } from "./test-terminal.js";

const project = {
  "bundled/shout/SKILL.md": SHOUT["SKILL.md"],
  "bundled/shout/shout.sh": SHOUT["shout.sh"],
  "notes/my note.txt": "hello\n",
};
const never = new AbortController().signal;

describe("the demo", () => {
  test("shows every step, saves the artifact and answers; exit code 0", async () => {
    const terminal = await testTerminal(project);
    const app = await terminal.open([]);
    showBanner(terminal.screen, app);
    const request = 'Write "notes/my note.txt" in capital letters';
    const code = await demo(terminal.screen, app, { request, files: [] }, never);
    const shown = terminal.shown();
    expect(code).toBe(0);
    const steps = [
      "offline planner",
      "isolation",
      "1 skill from 1 place",
      "upload",
      "overview",
      "skill_load",
      "skill_run",
      "staged shout",
      "exit code 0",
      "saved",
      "Saved:",
      "Done in",
    ];
    let position = 0;
    for (const step of steps) {
      expect(shown.indexOf(step, position), `${step} in\n${shown}`).toBeGreaterThanOrEqual(position);
      position = shown.indexOf(step, position);
    }
    const saved = /\nSaved:\n {2}(\/.*)\n/.exec(shown)?.[1] ?? "";
    expect(saved.startsWith(join(terminal.folder, "artifacts"))).toBe(true);
    expect(await readFile(saved, "utf8")).toBe("HELLO\n");
    // Under its own name, so that all files of a run are found together.
    expect(saved.endsWith("/out/loud.txt")).toBe(true);
    expect(shown).not.toContain("\u001b");
  });

  test("a named file that does not exist is reported, with where it was searched", async () => {
    const terminal = await testTerminal(project);
    const app = await terminal.open([]);
    await demo(
      terminal.screen,
      app,
      { request: "Write notes/gone.txt in capital letters", files: [] },
      never,
    );
    expect(terminal.shown()).toContain(`There is no file notes/gone.txt in ${terminal.folder}.`);
    const missing = demo(terminal.screen, app, { request: "x", files: ["gone.txt"] }, never);
    await expect(missing).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  });

  test("a failing command is exit code 1, and its output is shown", async () => {
    const failing = SHOUT["SKILL.md"].replace(/sh shout.*\n/, "echo 'bad header' >&2; exit 4\n");
    const terminal = await testTerminal({ "bundled/shout/SKILL.md": failing });
    const app = await terminal.open([]);
    expect(await demo(terminal.screen, app, { request: "shout in capital letters", files: [] }, never)).toBe(
      1,
    );
    expect(terminal.shown()).toMatch(/│ bad header[\s\S]*exit code 4/);
  });

  test("skills of the project ask before they run: without a terminal they are refused, with --yes they run", async () => {
    const theirs = {
      ".agents/skills/shout/SKILL.md": SHOUT["SKILL.md"],
      ".agents/skills/shout/shout.sh": SHOUT["shout.sh"],
      "note.txt": "hello\n",
    };
    const options = { request: "Write note.txt in capital letters", files: [] };
    const refused = await testTerminal(theirs);
    expect(await demo(refused.screen, await refused.open([]), options, never)).toBe(1);
    expect(refused.shown()).toMatch(/digest +sha256:[\s\S]*command\s+│ sh shout\.sh[\s\S]*--yes allows it/);
    expect(refused.shown()).not.toContain("exit code");
    // That sentence is for the model.
    expect(refused.shown()).not.toContain("Do not try again");

    const allowed = await testTerminal(theirs);
    expect(await demo(allowed.screen, await allowed.open(["--yes"]), options, never)).toBe(0);
    expect(allowed.shown()).toContain("allowed by --yes");
  });

  test("without a sandbox the bundled skills run without asking, any other asks, and the first lines say so", async () => {
    const others = {
      "own/shout/SKILL.md": SHOUT["SKILL.md"],
      "own/shout/shout.sh": SHOUT["shout.sh"],
      "note.txt": "hello\n",
    };
    const options = { request: "Write note.txt in capital letters", files: [] };
    const terminal = await testTerminal(others);
    const app = await terminal.open(["--isolation", "none", "--skills", "own"]);
    showBanner(terminal.screen, app);
    expect(await demo(terminal.screen, app, options, never)).toBe(1);
    expect(terminal.shown()).toMatch(
      /isolation +none[\s\S]*anything else needs your approval[\s\S]*refused: there is no terminal/,
    );

    const bundled = await testTerminal({ ...project, "note.txt": "hello\n" });
    const opened = await bundled.open(["--isolation", "none"]);
    expect(await demo(bundled.screen, opened, options, never)).toBe(0);
  });

  test.each([
    ["y", 0],
    ["", 1],
  ])("a person at the terminal is asked; %j gives exit code %i", async (answer, expected) => {
    const theirs = {
      ".agents/skills/shout/SKILL.md": SHOUT["SKILL.md"],
      ".agents/skills/shout/shout.sh": SHOUT["shout.sh"],
      "note.txt": "hello\n",
    };
    const terminal = await testTerminal(theirs, { person: true });
    const app = await terminal.open([]);
    const running = demo(
      terminal.screen,
      app,
      { request: "Write note.txt in capital letters", files: [] },
      never,
    );
    await terminal.until("Run it? [y/N]");
    terminal.type(`${answer}\n`);
    expect(await running).toBe(expected);
  });

  test("lines are fitted to a narrow terminal, but a path is never cut", async () => {
    const terminal = await testTerminal(project, { person: true, columns: 40 });
    const app = await terminal.open([]);
    showBanner(terminal.screen, app);
    await demo(
      terminal.screen,
      app,
      { request: 'Write "notes/my note.txt" in capital letters', files: [] },
      never,
    );
    const steps = terminal
      .shown()
      .split("\n")
      .filter((line) => /^ +[✓▸$│]/.test(line));
    expect(steps.length).toBeGreaterThan(4);
    for (const line of steps) expect([...line].length).toBeLessThanOrEqual(40);
    expect(terminal.shown()).toMatch(/loud\.txt\n/);
  });
});
