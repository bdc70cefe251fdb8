import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Comparison, compareWithExpected, type ExpectedSkill } from "./corpus-agreement.js";
import { skillFile } from "./skill-case.js";

const shared = process.env["SKILLWRIGHT_SHARED"];

describe("the comparison with a corpus", () => {
  const content = Buffer.from(skillFile("name: a\ndescription: one: two"));
  const expected: ExpectedSkill = {
    path: "somebody/a/SKILL.md",
    spec: { valid: false, rules: ["yaml.invalid"] },
    lenient: { loadable: true, name: "a", description: "one: two", repaired: ["description"] },
    body: { sha256: "df7e70e5021544f4834bbee64a9e3789febc4be81470df629cad6ddb03320a5c" },
  };

  test("agrees with correct results", () => {
    expect(disagreements(compareWithExpected(content, expected))).toEqual([]);
  });

  test("detects wrong results", () => {
    const lenient = { ...expected.lenient, name: "b", description: "one" };
    const wrong = { ...expected, spec: { valid: true, rules: [] }, lenient, body: { sha256: "" } };
    expect(disagreements(compareWithExpected(content, wrong))).toEqual([
      "strict verdict",
      "strict rules",
      "name, repaired",
      "description, repaired",
      "body",
    ]);
  });
});

describe("our own corpus", () => {
  test("every verdict, name, description and body is as expected", () => {
    const table = comparedCorpus(join(import.meta.dirname, "../corpus"), "");
    expect(table.get("loadable")?.of).toBeGreaterThan(40);
    expect([...table.values()].flatMap(({ differ }) => differ)).toEqual([]);
  });
});

if (shared !== undefined)
  describe("the shared corpus", () => {
    test("every verdict, name, description and body is as expected", () => {
      const table = comparedCorpus(join(shared, "corpus"), "skills");
      for (const [subject, { agree, of }] of table) console.log(`corpus: ${subject}: ${agree} of ${of}`);
      expect(table.get("loadable")?.of).toBeGreaterThan(400);
      expect(table.get("name, as written")?.of).toBeGreaterThan(300);
      expect([...table.values()].flatMap(({ differ }) => differ)).toEqual([]);
    });
  });

interface Agreement {
  agree: number;
  of: number;
  differ: string[];
}

function comparedCorpus(root: string, below: string): ReadonlyMap<string, Agreement> {
  const { skills } = JSON.parse(readFileSync(join(root, "expected.json"), "utf8")) as {
    skills: readonly ExpectedSkill[];
  };
  const table = new Map<string, Agreement>();
  for (const expected of skills) {
    const content = readFileSync(join(root, below, expected.path));
    for (const [subject, agrees] of compareWithExpected(content, expected)) {
      const row = table.get(subject) ?? { agree: 0, of: 0, differ: [] };
      row.of++;
      if (agrees) row.agree++;
      else row.differ.push(`${subject}: ${expected.path}`);
      table.set(subject, row);
    }
  }
  return table;
}

function disagreements(compared: readonly Comparison[]): string[] {
  return compared.filter(([, agrees]) => !agrees).map(([subject]) => subject);
}
