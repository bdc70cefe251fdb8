import { expect } from "vitest";
import type { SessionState } from "../../../packages/core/src/index.js";
import {
  injector,
  mentionedSkills,
  profileInjection,
  skillChanges,
  skillLoads,
  slashCommands,
} from "../../../packages/injector/src/index.js";
import { listOf, many, skill, snapshotOf } from "../../../packages/injector/test/catalogue.js";
import { limitsOf } from "../limit.js";

export const injectorLimits = limitsOf("injector", [
  {
    option: "`injector`: `maxCharacters`",
    kind: "default",
    value: 4000,
    unit: "characters",
    documented: ["README.md", "| `maxCharacters` | 4000 |"],
    source: ["src/injector-options.ts", "undefined ? 4000 :"],
    probe: (value) => {
      const described = (length: number) => [skill("long", { description: "d".repeat(length) })];
      const list = (length: number, maxCharacters?: number) =>
        listOf(
          injector({ maxCharacters, maxSkills: 9 }).enhanceSystemPrompt("", {
            snapshot: snapshotOf(manyOf(length)),
          }),
        );
      const manyOf = (length: number) =>
        [1, 2, 3, 4, 5].flatMap((n) => described(length).map((one) => ({ ...one, name: `long-${n}` })));
      for (const length of [600, 700, 800, 900]) {
        expect(list(length)).toBe(list(length, value));
        expect(list(length).length).toBeLessThanOrEqual(value);
      }
      expect(list(900).length).toBeGreaterThan(value - 20);
    },
  },
  {
    option: "`injector`: `maxSkills`",
    kind: "default",
    value: 32,
    unit: "skills",
    documented: ["README.md", "| `maxSkills` | 32 |"],
    source: ["src/injector-options.ts", "maxSkills = 32"],
    probe: (value) => {
      const listed = (count: number) =>
        listOf(
          injector({ format: "names", maxCharacters: 100_000 }).enhanceSystemPrompt("", {
            snapshot: snapshotOf(many(count)),
          }),
        ).match(/skill-\d{5}/g)?.length;
      expect([listed(value), listed(2 * value)]).toEqual([value, value]);
    },
  },
  {
    option: "`profileInjection`: `every`",
    kind: "default",
    value: 100,
    unit: "turns",
    documented: ["src/profile/agent-profile.ts", "0 for never. Defaults to 100."],
    source: ["src/profile/agent-profile.ts", "every = 100"],
    probe: (value) => {
      let state: SessionState = {};
      const dueAt: number[] = [];
      for (let turn = 0; turn <= value; turn++) {
        const { message, delta } = profileInjection({ text: "p", state, isEmpty: turn === 0 });
        if (message) dueAt.push(turn);
        state = { ...state, ...delta } as SessionState;
      }
      expect(dueAt).toEqual([0, value]);
    },
  },
  {
    option: "`skillLoads`: `maxLoaded`",
    kind: "default",
    value: 8,
    unit: "skills",
    documented: ["README.md", "beyond `maxLoaded` (8) the oldest goes"],
    source: ["src/loads/skill-loads.ts", "maxLoaded = 8"],
    probe: (value) => {
      const evicted = (count: number) => {
        const loaded = Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`temp:skill:loaded:s${index}`, "1"]),
        );
        return skillLoads().settle(loaded, [loaded]).diagnostics.length;
      };
      expect([evicted(value), evicted(value + 1)]).toEqual([0, 1]);
    },
  },
  {
    option: "`turnNote`: skills named",
    kind: "limit",
    value: 8,
    unit: "skills",
    documented: ["README.md", "`turnNote` names the skills with the reason, 8 at most"],
    source: ["src/triggers/trigger-note.ts", "MOST = 8"],
    probe: (value) => {
      const frontmatter = { triggers: [{ type: "always" }] };
      const named = (count: number) =>
        injector()
          .turnNote({ snapshot: snapshotOf(many(count, { frontmatter })), context: { userMessage: "x" } })
          .text.match(/skill-\d{5}/g)?.length;
      expect([named(value), named(2 * value)]).toEqual([value, value]);
    },
  },
  {
    option: "`mentionedSkills`: skills",
    kind: "limit",
    value: 8,
    unit: "skills",
    documented: ["README.md", "that a message mentions as `$name`, 8 at most"],
    source: ["src/commands/mentioned-skills.ts", "MAX_MENTIONS = 8"],
    probe: (value) => {
      const mentioned = (count: number) => {
        const message = many(count)
          .map(({ name }) => `$${name}`)
          .join(" ");
        return mentionedSkills(message, many(count)).names.length;
      };
      expect([mentioned(value), mentioned(2 * value)]).toEqual([value, value]);
    },
  },
  {
    option: "`skillChanges`: lines",
    kind: "limit",
    value: 32,
    unit: "skills",
    documented: ["src/skill-changes.ts", "One line per skill, at most 32"],
    source: ["src/skill-changes.ts", "MOST = 32"],
    probe: (value) => {
      const lines = (count: number) =>
        skillChanges(snapshotOf([]), { ...snapshotOf(many(count)), fingerprint: "g" })?.split("\n").length;
      expect([lines(value), lines(3 * value)]).toEqual([value + 1, value + 2]);
    },
  },
  {
    option: "`slashCommands`: name",
    kind: "limit",
    value: 32,
    unit: "characters",
    documented: ["src/commands/slash-commands.ts", "digits and `_`, at most 32"],
    source: ["src/commands/command-name.ts", "MAX_NAME = 32"],
    probe: (value) => {
      const { commands } = slashCommands({ skills: [skill("n".repeat(2 * value))] });
      expect(commands[0]?.name).toHaveLength(value);
    },
  },
  {
    option: "`slashCommands`: description",
    kind: "limit",
    value: 100,
    unit: "characters",
    documented: ["README.md", "descriptions of at most 100 characters"],
    source: ["src/commands/slash-commands.ts", "MAX_DESCRIPTION = 100"],
    probe: (value) => {
      const shown = (length: number) =>
        slashCommands({ skills: [skill("one", { description: "d".repeat(length) })] }).commands[0]
          ?.description;
      expect(shown(value)).toBe("d".repeat(value));
      expect(shown(2 * value)?.length).toBeLessThanOrEqual(value);
    },
  },
]);
