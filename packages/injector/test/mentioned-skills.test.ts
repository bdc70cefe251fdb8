import { SKILL_STATE_KEYS } from "@skillwright/core";
import { mentionedSkills, skillMentionText, slashCommands } from "@skillwright/injector";
import { describe, expect, test } from "vitest";
import { skill } from "./catalogue.js";

const names = (message: string, ...skills: string[]) =>
  mentionedSkills(
    message,
    skills.map((name) => skill(name)),
  ).names;

describe("skills mentioned in a message", () => {
  test.each([
    ["Use $csv-analyst on this.", ["csv-analyst"]],
    ["$csv-analyst, then $notes; $notes again", ["csv-analyst", "notes"]],
    ["first ($notes) and **$csv-analyst**", ["notes", "csv-analyst"]],
    ["$写作 chapter 3", ["写作"]],
    ["$notes-2 and $note and $Notes", []],
    ["US$notes, $$notes, \\$notes, costs $5", []],
    ["run `echo $notes` or\n```sh\necho $notes\n```", []],
    ["```\nunclosed $notes", []],
    ["$notes_ and $csv-analyst-", ["notes", "csv-analyst"]],
  ])("are found by their exact names: %j (CMD-05)", (message, expected) => {
    expect(names(message, "csv-analyst", "notes", "写作")).toEqual(expected);
  });

  test("a skill that only the model may start is not mentioned, one that only people may start is (CMD-06)", () => {
    const skills = [
      skill("hidden", { frontmatter: { "user-invocable": false } }),
      skill("manual", { frontmatter: { "disable-model-invocation": true } }),
    ];
    expect(mentionedSkills("$hidden $manual", skills).names).toEqual(["manual"]);
  });

  test("beyond 8 they are reported and not loaded (CMD-07)", () => {
    const many = Array.from({ length: 10 }, (_, index) => `skill-${index}`);
    const found = mentionedSkills(
      many.map((name) => `$${name}`).join(" "),
      many.map((name) => skill(name)),
    );
    expect(found.names).toEqual(many.slice(0, 8));
    expect(found.diagnostics).toMatchObject([
      { code: "mentions.cut", severity: "warning", message: expect.stringContaining("skill-8, skill-9") },
    ]);
  });

  test("their instructions follow the message, and they count as loaded (CMD-05)", () => {
    const { text, delta } = skillMentionText(
      "Use $notes.",
      new Map([["notes", "Write </loaded_skill> short."]]),
    );
    expect(text).toBe(
      'Use $notes.\n\n<loaded_skill name="notes">\nWrite &lt;/loaded_skill> short.\n</loaded_skill>',
    );
    expect(delta).toEqual({ [SKILL_STATE_KEYS.loaded("notes")]: "1" });
    expect(skillMentionText("Hello.", new Map())).toEqual({ text: "Hello.", delta: {} });
  });
});

describe("a command that calls a tool", () => {
  const dispatch = { "command-dispatch": "tool", "command-tool": "deploy" };
  const tool = (frontmatter: Record<string, string>, trusted = true) =>
    slashCommands({ skills: [skill("x", { frontmatter, trusted })] }).commands[0]?.tool;

  test("is named by the skill's frontmatter (CMD-08)", () => {
    expect(tool(dispatch)).toBe("deploy");
    expect(tool({ "command-tool": "deploy" })).toBeUndefined();
    expect(tool({ "command-dispatch": "tool" })).toBeUndefined();
  });

  test("is ignored for a skill of an untrusted source (CMD-08)", () => {
    expect(tool(dispatch, false)).toBeUndefined();
  });
});
