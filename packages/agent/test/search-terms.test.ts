import { expect, test } from "vitest";
import { searchTerms } from "../src/planner/search-terms.js";

test.each([
  ["analyse", "analyst analysis analyses analysed analyzing"],
  ["summary", "summarise summarised summaries"],
  ["translate", "translation translator translated translating"],
  ["factors", "factor factorisation factorize"],
  ["convert", "converts converter converting"],
  ["review", "reviewer reviews reviewing"],
  ["consistency", "consistent consistently"],
  ["codes", "code"],
  ["sales", "sale"],
  ["statistics", "statistic"],
])("%s matches %s", (word, others) => {
  for (const other of others.split(" "))
    expect([other, searchTerms(other)]).toEqual([other, searchTerms(word)]);
});

test("splits at hyphens and punctuation; drops stop words, numbers and accents", () => {
  expect(searchTerms("Please run the pdf-to-markdown 42, naïve!")).toEqual(["pdf", "markdown", "naiv"]);
});
