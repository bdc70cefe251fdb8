import { beforeEach, expect, test, vi } from "vitest";
import { en, type Texts } from "../../src/texts/en.js";
import { counted } from "../../src/texts/plural-forms.js";

/** Polish, which has more plural forms than English, for a few texts; the others are English. */
const pl: Texts = {
  ...en,
  calls: { ...en.calls, runInWorkspace: "Uruchom" },
  ui: {
    ...en.ui,
    line: counted({ one: "# wiersz", few: "# wiersze", many: "# wierszy", other: "# wiersza" }),
  },
};

beforeEach(() => {
  vi.resetModules();
  vi.doMock("../../src/texts/languages.js", () => ({ languages: { en, pl } }));
});

async function textsFor(...wanted: readonly string[]) {
  vi.stubGlobal("navigator", { languages: wanted });
  return await import("../../src/texts/index.js");
}

test.each([
  ["the first one that the page has", ["de-DE", "pl", "en"], "pl"],
  ["the language of a region", ["pl-PL"], "pl"],
  ["the earlier one of two that the page has", ["en-GB", "pl"], "en"],
  ["English where the page has none", ["de-DE", "ko"], "en"],
  ["English where the browser tells none", [], "en"],
  ["English where a tag is the name of a property of every object", ["constructor"], "en"],
])("chooses %s", async (_, wanted, chosen) => {
  const { language, texts } = await textsFor(...wanted);
  expect(language).toBe(chosen);
  expect(texts).toBe({ en, pl }[chosen]);
});

test("another language takes effect in texts, plural forms and times", async () => {
  const { texts } = await textsFor("pl-PL");
  const { count, agoInWords } = await import("../../src/ui/words.js");
  const { describeCall } = await import("../../src/chat/describe-call.js");
  expect([1, 3, 5].map((lines) => count(lines, texts.ui.line))).toEqual([
    "1 wiersz",
    "3 wiersze",
    "5 wierszy",
  ]);
  expect(describeCall({ tool: "workspace_run", input: {}, run: undefined }).title).toBe("Uruchom");
  expect(agoInWords(new Date().toISOString())).toBe("teraz");
});

test("if a text lacks the plural form for a number, its general form is used", async () => {
  const { texts } = await textsFor("en");
  const { count } = await import("../../src/ui/words.js");
  expect(count(3, counted({ other: "# line(s)" }))).toBe("3 line(s)");
  expect(count(1, texts.ui.line)).toBe("1 line");
});
