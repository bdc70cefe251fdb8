import { describe, expect, test } from "vitest";
import { bestSkill } from "../src/planner/rank-skills.js";

const skills = [
  {
    name: "csv-analyst",
    description: "Analyses a CSV file: totals, groups, a chart. For orders, sales, expenses.",
  },
  { name: "pdf-to-markdown", description: "Converts a PDF document into Markdown, page by page." },
  {
    name: "markdown-segment-translator",
    description: "Translates a long Markdown document segment by segment.",
  },
  {
    name: "consistency-checker",
    description: "Checks characters, world and timeline of a novel for contradictions.",
  },
  { name: "python-math", description: "Small number sequences: Fibonacci, primes, statistics of a list." },
];

describe("the offline planner's choice of a skill", () => {
  test.each([
    ["Analyse data/orders.csv and write me a report", "csv-analyst"],
    ["Total the sales of each month, with a chart", "csv-analyst"],
    ["convert paper.pdf", "pdf-to-markdown"],
    ["please translate this text to German", "markdown-segment-translator"],
    ["is my novel's timeline consistent?", "consistency-checker"],
    ["Give me the first 12 Fibonacci numbers", "python-math"],
  ])("%s: %s", (request, name) => {
    expect(bestSkill(request, skills)?.name).toBe(name);
  });

  test.each([
    "Book me a flight to Berlin",
    "What is the weather like?",
    "Convert this recipe to metric units",
    "",
    "the and of 42",
    "你好",
  ])("no skill matches: %s", (request) => {
    expect(bestSkill(request, skills)).toBeUndefined();
  });

  test("a word that most skills share is ignored", () => {
    const alike = ["one", "two", "three"].map((name) => ({
      name,
      description: "Works on a widget carefully.",
    }));
    expect(bestSkill("do the widget carefully", alike)).toBeUndefined();
  });

  test("splits names at hyphens and handles names with unusual characters", () => {
    const odd = [{ name: "über_skill.x", description: "Nothing." }, ...skills];
    expect(bestSkill("run the uber thing", odd)?.name).toBe("über_skill.x");
  });
});
