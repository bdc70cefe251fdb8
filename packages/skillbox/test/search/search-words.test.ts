import { describe, expect, test } from "vitest";
import { nameWords, searchWords } from "../../src/search-words.js";

describe("words of a text", () => {
  test.each([
    ["Reads CSV-files, v2.1 (fast)!", ["Reads", "CSV", "files", "v2", "1", "fast"]],
    ["snake_case and it's", ["snake", "case", "and", "it", "s"]],
    ["café—größe naïve", ["café", "größe", "naïve"]],
    ["cafe\u0301", ["café"]],
    ["ＣＳＶ ﬁles x²", ["CSV", "files", "x2"]],
    ["𝔘nicode 👩‍💻 done", ["Unicode", "done"]],
    ["", []],
    ["—…", []],
  ])("%j", (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  test("are runs of letters and digits of any script, for any mix of characters", () => {
    const signs = [..."aZ09 -_.\n'éßдЖ\u00a0\u2014ﬁ²א\u0000"];
    for (let seed = 1; seed <= 2000; seed++) {
      let state = seed;
      const text = Array.from({ length: 12 }, () => {
        state = (state * 48271) % 2147483647;
        return signs[state % signs.length];
      }).join("");
      expect(searchWords(text)).toEqual(text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? []);
    }
  });

  test.each([
    ["角色设定", ["角色", "色设", "设定"]],
    ["猫", ["猫"]],
    ["处理PDF文件", ["处理", "PDF", "文件"]],
    ["データを読む", ["デー", "ータ", "タを", "を読", "読む"]],
    ["𠮷野家", ["𠮷野", "野家"]],
  ])("%j is split into pairs", (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  test("for an index, every sign begins a word", () => {
    expect(searchWords("黑猫 PDF文件", { lastSigns: true })).toEqual(["黑猫", "猫", "PDF", "文件", "件"]);
    expect(searchWords("猫", { lastSigns: true })).toEqual(["猫"]);
  });

  test("Thai words are those of a dictionary", () => {
    expect(searchWords("ภาษาไทย").length).toBeGreaterThan(1);
    expect(searchWords("ภาษาไทย").join("")).toBe("ภาษาไทย");
  });

  test("words of a name are also joined", () => {
    expect(nameWords("csv-analyst")).toEqual(["csv", "analyst", "csvanalyst"]);
    expect(nameWords("csv")).toEqual(["csv"]);
  });
});
