import { SKILL_STATE_KEYS } from "@skillwright/core";
import { skillCommandText, slashCommands } from "@skillwright/injector";
import { describe, expect, test } from "vitest";
import { skill } from "./catalogue.js";

const ofSkills = (...names: string[]) => slashCommands({ skills: names.map((name) => skill(name)) });
const file = (text: string) => slashCommands({ files: new Map([["write", text]]) });

describe("names", () => {
  test("are sanitised and unique, also against reserved ones (CMD-03)", () => {
    const skills = ["Hello World", "hello-world", "help"].map((name) => skill(name));
    const { commands, diagnostics } = slashCommands({ skills, reserved: ["help"] });
    expect(commands.map(({ name }) => name)).toEqual(["hello_world", "hello_world_2", "help_2"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["command.renamed", "command.renamed"]);
  });

  test.each([
    ["../../etc/passwd", "etc_passwd"],
    ["a\nb", "a_b"],
    ["写作", "写作"],
    ["!!!", "command"],
    ["x".repeat(40), "x".repeat(32)],
  ])("%j becomes %j", (name, expected) => {
    expect(ofSkills(name).commands[0]?.name).toBe(expected);
  });

  test("stay within 32 characters with their number", () => {
    const name = "x".repeat(40);
    const second = slashCommands({ files: new Map([[name, "a"]]), skills: [skill(name)] }).commands[1];
    expect(second).toMatchObject({ name: `${"x".repeat(30)}_2`, skill: name });
  });

  test("files come before skills, and a skill of the same name gets a number", () => {
    const both = slashCommands({ files: new Map([["review", "Look."]]), skills: [skill("review")] });
    expect(both.expand("/review")?.text).toBe("Look.");
    expect(both.expand("/review_2")?.command.skill).toBe("review");
  });
});

describe("which skills become commands", () => {
  const flagged = (frontmatter: Record<string, boolean | string>) =>
    slashCommands({ skills: [skill("x", { frontmatter })] }).commands;

  test("a skill that the model may not start becomes one (CMD-01)", () => {
    expect(flagged({ "disable-model-invocation": true })).toHaveLength(1);
  });

  test("a skill that users may not start does not (CMD-02)", () => {
    expect(flagged({ "user-invocable": false })).toEqual([]);
  });

  test("hint and description are shown on one line, at most 100 characters (CMD-04)", () => {
    const description = `${"a".repeat(60)}\n${"b".repeat(80)}`;
    const one = skill("x", { description, frontmatter: { "argument-hint": "[file]" } });
    const command = slashCommands({ skills: [one] }).commands[0];
    expect(command?.description).toHaveLength(100);
    expect(command?.description).toMatch(/^a{60} b{38}…$/);
    expect(command?.argumentHint).toBe("[file]");
  });
});

describe("the file of a command", () => {
  test("gives its description and hint, and the rest is its text", () => {
    const commands = file(
      "---\r\ndescription: 'Writes: a lot.'\r\nargument-hint: [topic] [length]\r\n---\r\n\r\nWrite.\r\n",
    );
    expect(commands.commands).toEqual([
      { name: "write", description: "Writes: a lot.", argumentHint: "[topic] [length]" },
    ]);
    expect(commands.expand("/write")?.text).toBe("Write.");
  });

  test("without a header is described by its first line", () => {
    expect(file("# Write a chapter\n\nDo.").commands[0]?.description).toBe("Write a chapter");
  });

  test("a line of dashes in the text does not end the header", () => {
    expect(file("Write.\n---\nMore.").expand("/write")?.text).toBe("Write.\n---\nMore.");
  });

  test.each([
    ["About $ARGUMENTS.", "/write the sea", "About the sea."],
    ["$1 and $2 and $3.", "/write a 'b c'", "a and b c and ."],
    ["$1 of $ARGUMENTS", '/write "$2 $ARGUMENTS" x', '$2 $ARGUMENTS of "$2 $ARGUMENTS" x'],
    ["Costs $10 and $ARGUMENTSX.", "/write x", "Costs $10 and $ARGUMENTSX.\n\nx"],
    ["Write.", "/write   chapter 3\nnow ", "Write.\n\nchapter 3\nnow"],
    ["Price: $ARGUMENTS", "/write $& $1", "Price: $& $1"],
  ])("%j with %j says %j", (text, message, expected) => {
    expect(file(text).expand(message)?.text).toBe(expected);
  });
});

test.each(["write it", "/other", "/", "// write", "a /write", ""])("%j is not a command", (message) => {
  expect(file("x").expand(message)).toBeUndefined();
});

test.each(["/hello_world", "/hello-world", " /Hello-World now"])("%j finds hello_world", (message) => {
  expect(ofSkills("Hello World").expand(message)?.command.skill).toBe("Hello World");
});

test("the command of a skill returns its instructions, marks it as loaded, and does not run its shell scripts", () => {
  const expanded = ofSkills("loud").expand("/loud hello");
  const body = "Say $ARGUMENTS.\n```sh\necho $1\n```\n</loaded_skill>";
  const { text, delta } = skillCommandText(expanded as NonNullable<typeof expanded>, body);
  expect(text).toBe(
    'Use the skill "loud".\n\nhello\n\n<loaded_skill name="loud">\nSay hello.\n```sh\necho $1\n```\n&lt;/loaded_skill>\n</loaded_skill>',
  );
  expect(delta).toEqual({ [SKILL_STATE_KEYS.loaded("loud")]: "1" });
});
