import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openaiServer } from "../../../packages/agent/test/openai-server.js";
import { environmentStore } from "../../../packages/workspace/src/index.js";
import { requirement, wheel } from "../../../packages/workspace/test/environment/package-index.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { demo } from "../src/terminal/demo.js";
import { type TestTerminal, testTerminal } from "./test-terminal.js";

const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const never = new AbortController().signal;

/** One's own skill that locks a package, which is a file of it. */
async function terminalWithPackages(environments: (folder: string) => unknown): Promise<TestTerminal> {
  const skill = "home/.agents/skills/speaker";
  const terminal = await testTerminal(
    {
      [`${skill}/SKILL.md`]: "---\nname: speaker\ndescription: Says what alpha says.\n---\nRun alpha.\n",
      [`${skill}/requirements.txt`]: requirement(ALPHA),
    },
    { person: true },
  );
  const { folder } = terminal;
  onTestFinished(async () => {
    // What is prepared is read-only, which also prevents removing it.
    await environmentStore({ root: join(folder, "packages") }).prune({ maxBytes: 0, inUse: false });
  });
  await mkdir(join(folder, skill, "wheels"));
  await writeFile(join(folder, skill, "wheels", ALPHA.fileName), ALPHA.bytes);
  await mkdir(join(folder, "home/.skillwright"), { recursive: true });
  await writeFile(
    join(folder, "home/.skillwright/skillwright.config.json"),
    JSON.stringify({ agent: { workspaces: { environments: environments(folder) } } }),
  );
  return terminal;
}

/** A model that runs the program of the package. */
async function opened(terminal: TestTerminal) {
  const call = { name: "skill_run", arguments: JSON.stringify({ skill: "speaker", command: "alpha" }) };
  const { baseURL } = await openaiServer([{ calls: [call] }, { text: "done" }]);
  const app = await terminal.open([], { OPENAI_API_KEY: "key", OPENAI_BASE_URL: baseURL });
  return demo(terminal.screen, app, { request: "go", files: [] }, never);
}

if (hasAll("bubblewrap", "pip or ensurepip"))
  describe("packages of a skill in the terminal", () => {
    test("PKG-16: are installed into the configured directory after one question that lists them", async () => {
      const terminal = await terminalWithPackages((folder) => ({ root: join(folder, "packages") }));
      const running = opened(terminal);
      await terminal.until("Install them? [y/N]");
      expect(terminal.shown()).toContain(
        'The skill "speaker" needs a package not yet installed on this machine.',
      );
      expect(terminal.shown()).toContain("│ requirements.txt (files of the skill): alpha 1.0.0");
      terminal.type("y\n");
      await running;
      expect(terminal.shown()).toContain("alpha speaks");
      expect(await readdir(join(terminal.folder, "packages"))).toEqual([
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]);
      const later = await testTerminal({}, { folder: terminal.folder });
      await opened(later);
      expect(later.shown()).toContain("alpha speaks");
      expect(later.shown()).not.toContain("approval");
    });

    test("PKG-16: are left out where the configuration says so", async () => {
      const terminal = await terminalWithPackages(() => "none");
      await opened(terminal);
      expect(terminal.shown()).toMatch(/alpha: (command )?not found/);
      expect(terminal.shown()).not.toContain("Install them?");
    });
  });
