import { injector } from "@skillwright/injector";
import { describe, expect, test } from "vitest";
import { leastTime } from "../../../test/timing/least-time.js";
import { listOf, many, skill, snapshotOf } from "./catalogue.js";

const long = "word ".repeat(60).trim();
const entries = (text: string) => text.match(/<skill>/g)?.length ?? 0;

describe("tiers of the overview", () => {
  test("a catalogue within its budget is shown in full, without note and diagnostics (PROMPT-01)", () => {
    const { text, diagnostics } = injector().overview({ snapshot: snapshotOf(many(5)) });
    expect(listOf(text)).toMatch(/Does things of kind 4<\/description>\n<\/skill>\n<\/available_skills>$/);
    expect(diagnostics).toEqual([]);
  });

  test("over budget, descriptions are shortened to one length, and short ones stay whole", () => {
    const snapshot = snapshotOf([
      ...many(10, { description: long }),
      skill("z-short", { description: "Is short" }),
    ]);
    const { text, diagnostics } = injector({ maxCharacters: 1500 }).overview({ snapshot });
    const lengths = [...text.matchAll(/<description>(.*)<\/description>/g)].map(
      ([, shown = ""]) => shown.length,
    );
    expect(new Set(lengths.slice(0, 10)).size).toBe(1);
    expect(lengths[0]).toBeGreaterThan(30);
    expect(text).toContain("<description>Is short</description>");
    expect(text).toMatch(/\nDescriptions are shortened\. Call `skill_list` for the rest\.$/);
    expect(text).toContain("the beginnings of their descriptions are listed here");
    expect(listOf(text).length).toBeGreaterThan(1500 - 15);
    expect(diagnostics).toMatchObject([{ code: "overview.descriptions-shortened" }]);
  });

  test("where not even shortened descriptions fit, all names are listed with a note that says so (PROMPT-02)", () => {
    const snapshot = snapshotOf(many(20, { description: long }));
    const { text, diagnostics } = injector({ maxCharacters: 1200 }).overview({ snapshot });
    expect(entries(text)).toBe(20);
    expect(text).not.toContain("<description>");
    expect(text).toMatch(/\nDescriptions are left out\. Call `skill_list` for the rest\.$/);
    expect(text).not.toMatch(/\d+ of \d+/);
    expect(text).toContain("Only their names are listed here");
    expect(diagnostics).toMatchObject([{ code: "overview.names-only" }]);
  });

  test("where not all names fit, as many as fit are listed, and the number is stated (PROMPT-03)", () => {
    const { text, diagnostics } = injector({ maxCharacters: 2000, maxSkills: 200 }).overview({
      snapshot: snapshotOf(many(100, { description: long })),
    });
    const [, announced] =
      /\n(\d+) of 100 skills are listed here; descriptions are left out\./.exec(text) ?? [];
    expect(entries(text)).toBe(Number(announced));
    expect(listOf(text).length).toBeGreaterThan(2000 - 50);
    expect(listOf(text).length).toBeLessThanOrEqual(2000);
    expect(diagnostics.map(({ code }) => code)).toEqual(["overview.names-only", "overview.cut"]);
  });

  test("with a limit of 10, 30 skills are announced as 10 of 30 (PROMPT-04)", () => {
    const { text } = injector({ maxSkills: 10, maxCharacters: 20_000 }).overview({
      snapshot: snapshotOf(many(30)),
    });
    expect(entries(text)).toBe(10);
    expect(text).toMatch(/\n10 of 30 skills are listed here\. Call `skill_list` for the rest\.$/);
  });

  test("32 of 40 skills are listed by default, and the note says how many are missing (PROMPT-05)", () => {
    const { text, diagnostics } = injector({ maxCharacters: 20_000 }).overview({
      snapshot: snapshotOf(many(40)),
    });
    expect(entries(text)).toBe(32);
    expect(text).toContain("32 of 40 skills are listed here");
    expect(diagnostics[0]?.message).toContain('"skill-00032"');
  });

  test.each([1, 10, 39])(
    "a budget of %i characters for 3 skills gives no partial entry (PROMPT-06)",
    (maxCharacters) => {
      const { text, diagnostics } = injector({ maxCharacters }).overview({ snapshot: snapshotOf(many(3)) });
      expect(listOf(text)).toBe("");
      expect(text).toContain("There is no room to list them here.");
      expect(text).toContain("Call `skill_list` to see them.");
      expect(diagnostics).toMatchObject([{ code: "overview.cut" }]);
      const without = injector({ maxCharacters, tools: ["skill_load"] });
      expect(without.enhanceSystemPrompt("Base", { snapshot: snapshotOf(many(3)) })).toBe("Base");
    },
  );

  test("a note that does not fit is left out before a skill is (PROMPT-07)", () => {
    const snapshot = snapshotOf(many(2, { description: long }));
    const whole =
      "<available_skills>\n<skill>\n<name>skill-00000</name>\n</skill>\n<skill>\n<name>skill-00001</name>\n</skill>\n</available_skills>";
    const { text } = injector({ maxCharacters: whole.length }).overview({ snapshot });
    expect(listOf(text)).toBe(whole);
  });
});

describe("budget", () => {
  test.each(["xml", "markdown", "names"] as const)(
    "10,000 skills as %s fit into 4,000 characters in under 200 ms, with the count of those listed (PROMPT-10, PROMPT-09)",
    (format) => {
      const snapshot = snapshotOf(many(10_000, { description: long }));
      const overview = () => injector({ format }).overview({ snapshot });
      expect(leastTime(overview, 200)).toBeLessThan(200);
      const { text, diagnostics } = overview();
      const list = listOf(text);
      const listed = list.match(/skill-\d{5}(?!\/)(?=<|`)/g)?.length ?? 0;
      expect(list.length).toBeLessThanOrEqual(4000);
      expect(listed).toBe(32);
      expect(list).toContain("\n32 of 10000 skills are listed here");
      expect(diagnostics.at(-1)).toMatchObject({ code: "overview.cut", severity: "warning" });
    },
  );

  test("no budget from 1 to 1,500 characters is exceeded, and entries stay whole (PROMPT-09)", () => {
    const snapshot = snapshotOf(many(12, { description: "word ".repeat(20) }));
    let before = 0;
    for (let maxCharacters = 1; maxCharacters <= 1500; maxCharacters++) {
      const list = listOf(injector({ maxCharacters }).overview({ snapshot }).text);
      expect(list.length).toBeLessThanOrEqual(maxCharacters);
      expect(entries(list)).toBe(list.match(/<\/skill>/g)?.length ?? 0);
      // More room never shows fewer skills, except where the note about the others takes the place of one.
      expect(entries(list)).toBeGreaterThanOrEqual(before - 3);
      before = entries(list);
    }
    expect(before).toBe(12);
  });

  test("tokens are counted by the function passed in, and the whole list stays within them", () => {
    const countTokens = (text: string) => text.split(/\W+/).length;
    const snapshot = snapshotOf(many(30, { description: long }));
    const { text } = injector({ maxTokens: 500, countTokens }).overview({ snapshot });
    expect(countTokens(listOf(text))).toBeLessThanOrEqual(500);
    expect(countTokens(listOf(text))).toBeGreaterThan(420);
  });

  test("limits in characters and in tokens both apply where both are given", () => {
    const snapshot = snapshotOf(many(30));
    const inject = injector({
      maxTokens: 100_000,
      countTokens: (text) => text.length / 4,
      maxCharacters: 500,
    });
    expect(listOf(inject.overview({ snapshot }).text).length).toBeLessThanOrEqual(500);
  });

  test("trusted skills and sources of higher priority are kept first: the user's own before bundled ones", () => {
    const snapshot = snapshotOf([
      skill("a-project", { source: "project", trusted: false }),
      skill("b-bundled", { source: "team" }),
      skill("c-own"),
    ]);
    const { text, diagnostics } = injector({ maxSkills: 2, format: "names" }).overview({ snapshot });
    expect(listOf(text)).toContain("- `c-own`\n- `b-bundled`\n\n2 of 3 skills are listed here");
    expect(diagnostics[0]?.message).toMatch(/"a-project"\.$/);
  });

  test("each name that was left out is reported exactly, as JSON (PROMPT-08)", () => {
    const names = ["a<b", "c`d", 'e"f'];
    const snapshot = snapshotOf(["a", ...names].map((name) => skill(name)));
    const { diagnostics } = injector({ maxSkills: 1 }).overview({ snapshot });
    const [, list = ""] = /: (.*)\.$/.exec(diagnostics[0]?.message ?? "") ?? [];
    expect(JSON.parse(`[${list}]`)).toEqual(names);
  });

  test("a description longer than the standard's 1,024 characters is cut and reported", () => {
    const snapshot = snapshotOf([skill("long", { description: "🙂".repeat(2000) })]);
    const { text, diagnostics } = injector().overview({ snapshot });
    expect(text.match(/🙂/g)).toHaveLength(511);
    expect(text).toContain("🙂…</description>");
    expect(diagnostics).toMatchObject([{ code: "overview.description-cut" }]);
  });

  test("1,024 characters are shown in full, however many bytes they have (SKILL-18)", () => {
    const description = "é".repeat(1024);
    const { text, diagnostics } = injector().overview({
      snapshot: snapshotOf([skill("long", { description })]),
    });
    expect(text).toContain(`<description>${description}</description>`);
    expect(diagnostics).toEqual([]);
  });

  test.each([
    [["skill_load"], "1 of 2 skills are listed here."],
    [["skill_load", "skill_search"], "1 of 2 skills are listed here. Call `skill_search` for the rest."],
  ])("with the tools %j the note names no other tool", (tools, note) => {
    const { text } = injector({ maxSkills: 1, tools }).overview({ snapshot: snapshotOf(many(2)) });
    expect(text.endsWith(`\n${note}`)).toBe(true);
  });
});
