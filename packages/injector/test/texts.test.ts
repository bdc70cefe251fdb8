import { SKILL_STATE_KEYS } from "@skillwright/core";
import { injector } from "@skillwright/injector";
import { describe, expect, test } from "vitest";
import { listOf, skill, snapshotOf } from "./catalogue.js";

const always = skill("analyst", { frontmatter: { triggers: [{ type: "always" }] } });
const snapshot = snapshotOf([always]);
const state = { [SKILL_STATE_KEYS.loaded("analyst")]: "1" };
const bodies = new Map([["analyst", "Body."]]);
const own = injector();

describe("texts of the injector", () => {
  test("are replaced, and lists, names and bodies stay (PROMPT-21)", () => {
    const texts = { heading: "# Tools", guidance: "Load first.", triggered: "Now.", putBack: "Again:" };
    const inject = injector({ texts });
    const list = listOf(own.overview({ snapshot }).text);
    expect(inject.enhanceSystemPrompt("", { snapshot })).toBe(`# Tools\n\nLoad first.\n\n${list}`);
    expect(inject.prepareUserMessage("Hi", { snapshot })).toContain("# Tools\n\nLoad first.");
    expect(inject.turnNote({ snapshot, context: {} }).text).toMatch(/^Skills .*`analyst`.* Now\.$/);
    expect(inject.putBack({ snapshot, state, bodies }, new Set()).text).toMatch(/^Again:\n\n<loaded_skill/);
  });

  test("are removed when they are empty (PROMPT-21)", () => {
    const inject = injector({ texts: { heading: "", guidance: "", triggered: "", putBack: "" } });
    expect(inject.enhanceSystemPrompt("", { snapshot })).toBe(listOf(own.overview({ snapshot }).text));
    expect(inject.turnNote({ snapshot, context: {} }).text).toMatch(/^Skills .*`analyst`[^.]*\.$/);
    expect(inject.putBack({ snapshot, state, bodies }, new Set()).text).toMatch(/^<loaded_skill/);
  });

  test("can be derived from the injector's own (PROMPT-21)", () => {
    const guidance = (text: string) => `${text}\n- Ask before you run anything.`;
    const text = injector({ texts: { guidance } }).overview({ snapshot }).text;
    expect(text).toContain(
      "When no skill fits, do without.\n- Ask before you run anything.\n\n<available_skills>",
    );
  });

  test.each([{ guide: "x" }, { guidance: 1 }])("%j is refused with its name (PROMPT-21)", (texts) => {
    expect(() => injector({ texts: texts as never })).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(`texts.${Object.keys(texts)[0]}`),
      }),
    );
  });
});
