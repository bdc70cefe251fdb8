import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { screen } from "../../../apps/agent/src/terminal/screen.js";
import { terminalApproval } from "../../../apps/agent/src/terminal/terminal-approval.js";
import { profileFiles } from "../../../packages/agent/src/agent/profile-files.js";
import { loadedTexts } from "../../../packages/agent/src/skills/loaded-texts.js";
import { checkAgentConfig } from "../../../packages/config/src/agent/check-agent-config.js";
import { SKILL_STATE_KEYS } from "../../../packages/core/src/index.js";
import { temporaryDirectory } from "../../../packages/repository-fs/test/fs-subject.js";
import { skillFile } from "../../../packages/tools/test/example-skills.js";
import { takesAtMost } from "../boundary.js";
import { KIB, limitsOf, MIB } from "../limit.js";
import { box, callOne } from "../one-skill.js";
import { heardOf } from "./run-events.js";

const README = "/packages/agent/README.md";
const TERMINAL = "/apps/agent/README.md";
const CONFIG = "/packages/config/src/agent/agent-config-schema.ts";
const TOOLS = "/packages/config/src/agent/skill-tools-schema.ts";
const TEXTS = "/packages/agent/src/skills/loaded-texts.ts";
const EVENTS = "/packages/workspace/src/run/output-events.ts";
const PROFILE = "/packages/agent/src/agent/profile-files.ts";

export const agentLimits = limitsOf("agent", [
  {
    option: "`maxSteps`",
    kind: "default",
    value: 16,
    unit: "steps",
    documented: [README, "at `maxSteps` (16, at most 200)"],
    source: [CONFIG, "default(16)"],
    probe: (value) => expect(checked().maxSteps).toBe(value),
  },
  {
    option: "`maxSteps`, most",
    kind: "limit",
    value: 200,
    unit: "steps",
    documented: [README, "at `maxSteps` (16, at most 200)"],
    source: [CONFIG, "max(200)"],
    probe: async (value) => await takesAtMost(value, (maxSteps) => checked({ maxSteps }), "CONFIG_INVALID"),
  },
  {
    option: "`agentPromptReinjectEvery`",
    kind: "default",
    value: 100,
    unit: "turns",
    documented: [README, "`agentPromptReinjectEvery` turns of the user (100; 0 for never)"],
    source: [CONFIG, "default(100)"],
    probe: (value) => expect(checked().agentPromptReinjectEvery).toBe(value),
  },
  {
    option: "`overview.maxCharacters`",
    kind: "default",
    value: 4000,
    unit: "characters",
    documented: [README, "budget of the list (`maxCharacters` 4,000, `maxSkills` 32)"],
    source: [CONFIG, "default(4000)"],
    probe: (value) => expect(checked().overview.maxCharacters).toBe(value),
  },
  {
    option: "`overview.maxSkills`",
    kind: "default",
    value: 32,
    unit: "skills",
    documented: [README, "budget of the list (`maxCharacters` 4,000, `maxSkills` 32)"],
    source: [CONFIG, "default(32)"],
    probe: (value) => expect(checked().overview.maxSkills).toBe(value),
  },
  {
    option: "`loads.maxLoaded`",
    kind: "default",
    value: 8,
    unit: "skills",
    documented: [README, "how many are at once (`maxLoaded` 8)"],
    source: [CONFIG, "default(8)"],
    probe: (value) => expect(checked().loads.maxLoaded).toBe(value),
  },
  {
    option: "`compaction.keepTurns`",
    kind: "default",
    value: 1,
    unit: "turns",
    documented: [README, "turns older than the last `compaction.keepTurns` (1)"],
    source: [CONFIG, "default(1)"],
    probe: (value) => expect(checked().compaction.keepTurns).toBe(value),
  },
  {
    option: "`skillTools.maxResultCharacters`",
    kind: "default",
    value: 64 * KIB,
    unit: "characters",
    documented: [README, "of one tool's result (65,536 characters, at least 4,096)"],
    source: ["/packages/tools/src/result-budget.ts", "DEFAULT_CHARACTERS = 64 * 1024"],
    probe: async (value) => {
      const given = checked().skillTools.maxResultCharacters;
      expect(await readWith(given)).toEqual(await readWith(value));
      expect(await readWith(given)).not.toEqual(await readWith(value + 1000));
    },
  },
  {
    option: "`skillTools.maxResultCharacters`, least",
    kind: "limit",
    value: 4096,
    unit: "characters",
    documented: [README, "of one tool's result (65,536 characters, at least 4,096)"],
    source: [TOOLS, "min(4096)"],
    probe: (value) => {
      checked({ skillTools: { maxResultCharacters: value } });
      expect(() => checked({ skillTools: { maxResultCharacters: value - 1 } })).toThrow(
        "maxResultCharacters",
      );
    },
  },
  {
    option: "`eventLimits.bytes`",
    kind: "default",
    value: 4 * MIB,
    unit: "bytes",
    documented: [README, "`bytes` of one run (4 MiB)"],
    source: [EVENTS, "EVENT_BYTES = 4 * MIB"],
    probe: (value) =>
      expect(heardOf(2 * value, { ...checked().eventLimits, bytesPerSecond: 3 * value })).toBe(value),
  },
  {
    option: "`eventLimits.bytesPerSecond`",
    kind: "default",
    value: MIB,
    unit: "bytes",
    documented: [README, "`bytesPerSecond` (1 MiB, which may come at once)"],
    source: [EVENTS, "bytesPerSecond = MIB"],
    probe: (value) => expect(heardOf(2 * value, checked().eventLimits)).toBe(value),
  },
  {
    option: "a chosen document of a loaded skill",
    kind: "limit",
    value: 64 * KIB,
    unit: "bytes",
    documented: [TEXTS, "at most 64 KiB of one, 256 KiB in total"],
    source: [TEXTS, "MAX_DOCUMENT_BYTES = 64 * 1024"],
    probe: async (value) => expect([await shown([value]), await shown([value + 1])]).toEqual([1, 0]),
  },
  {
    option: "chosen documents of loaded skills together",
    kind: "limit",
    value: 256 * KIB,
    unit: "bytes",
    documented: [TEXTS, "at most 64 KiB of one, 256 KiB in total"],
    source: [TEXTS, "MAX_BYTES = 256 * 1024"],
    probe: async (value) => {
      const eighths = Array<number>(7).fill(value / 8);
      expect(await shown([...eighths, value / 8])).toBe(8);
      expect(await shown([...eighths, value / 8 + 1])).toBe(7);
    },
  },
  {
    option: "a file of the profile",
    kind: "limit",
    value: 32 * KIB,
    unit: "bytes",
    documented: [PROFILE, "32 KiB of each are read"],
    source: [PROFILE, "MAX_BYTES = 32 * 1024"],
    probe: async (value) =>
      expect([await profileOf(value), await profileOf(value + 1)]).toEqual([
        [value, []],
        [value, ["profile.cut"]],
      ]),
  },
  {
    option: "rows of the question whether a command may run",
    kind: "limit",
    value: 24,
    unit: "rows of 80 columns",
    documented: [TERMINAL, "The question fits into 80 columns and 24 rows"],
    source: ["/apps/agent/src/terminal/terminal-approval.ts", "most: 9"],
    probe: async (value) => {
      const rows = await longestQuestion();
      expect(rows.length).toBeLessThanOrEqual(value);
      expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
    },
  },
]);

function checked(more: object = {}) {
  return checkAgentConfig({ templateId: "t", modelConfig: { provider: "p", model: "m" }, ...more });
}

/** The result of `skill_read` for a file above the default budget. */
async function readWith(maxResultCharacters: number | undefined): Promise<unknown> {
  const call = callOne({ "long.txt": "x".repeat(200 * KIB) }, { maxResultCharacters }, "read");
  return (await call("skill_read", { skill: "one", path: "long.txt", max_bytes: 200 * KIB })).output;
}

/** The number of documents in the prompt when a skill has documents of these sizes and all are selected. */
async function shown(sizes: readonly number[]): Promise<number | undefined> {
  const documents = sizes.map((size, n) => [`references/${n}.md`, "x".repeat(size)]);
  const files = { "SKILL.md": skillFile("one"), ...Object.fromEntries(documents) };
  const state = { [SKILL_STATE_KEYS.documents("one")]: "*" };
  return (await loadedTexts(box({ one: files }), state, ["one"])).documents.get("one")?.size;
}

async function profileOf(bytes: number): Promise<[number, readonly string[]]> {
  const { root: home, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  const file = join(home, ".skillwright/agent/AGENT.md");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "x".repeat(bytes));
  const { text, diagnostics } = await profileFiles({ home }).read();
  return [text.length, diagnostics.map(({ code }) => code)];
}

/** Asks on a terminal of 80 columns about a command and a skill that need more rows than there are. */
async function longestQuestion(): Promise<readonly string[]> {
  let text = "";
  const write = (piece: string) => {
    text += piece;
  };
  const input = {
    isTerminal: true,
    ask: async (question: string) => {
      write(question);
      return "n";
    },
  };
  const long = "word ".repeat(1000);
  const approve = terminalApproval(screen({ isTTY: true, columns: 80, write }, { NO_COLOR: "1" }), input, {
    yes: false,
    remembers: true,
  });
  const request = { action: "run", subject: long, reason: long, skill: long, source: long, digest: long };
  await approve(
    { ...request, session: { app: "a", user: "u", session: "s" } } as Parameters<typeof approve>[0],
    {} as Parameters<typeof approve>[1],
  );
  return text.split("\n");
}
