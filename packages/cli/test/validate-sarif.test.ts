import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

const files = {
  "project/skills/bad one/SKILL.md": `\ufeff${skill("Bad")}`,
  "project/skills/good/SKILL.md": skill("good"),
};

// One pattern of the schema is invalid with the flag `u`.
const ajv = new Ajv.default({ strict: false, unicodeRegExp: false });
addFormats.default(ajv);
const isSarif = ajv.compile(sarifSchema);

async function sarif(fixture: Readonly<Record<string, string>>, ...flags: string[]) {
  const { cli } = await cliFixture(fixture);
  const { code, out, err } = await cli(["validate", "--format", "sarif", ...flags]);
  const log = JSON.parse(out);
  isSarif(log);
  expect(isSarif.errors ?? []).toEqual([]);
  return { code, err, run: log.runs[0] };
}

test("the schema refuses invalid SARIF, so its acceptance is meaningful", () => {
  expect(isSarif({ version: "2.1.0", runs: [{ tool: {} }] })).toBe(false);
});

test("a finding is a result with its rule, level, message, location and fingerprint", async () => {
  const { code, run } = await sarif(files, "--no-lint");
  expect(code).toBe(1);
  expect(run.tool.driver).toMatchObject({ name: "skillwright", version: expect.stringMatching(/^\d+\./) });
  expect(run.columnKind).toBe("utf16CodeUnits");
  expect(run.results).toHaveLength(3);
  expect(run.results[1]).toEqual({
    ruleId: "name.uppercase",
    ruleIndex: 1,
    level: "error",
    message: { text: expect.stringMatching(/^The skill's name has capital letters/) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: "skills/bad%20one/SKILL.md", uriBaseId: "%SRCROOT%" },
          region: { startLine: 2, startColumn: 1 },
        },
      },
    ],
    partialFingerprints: { "skillwrightFinding/v1": expect.stringMatching(/^[0-9a-f]{32}:1$/) },
  });
  expect(run.results[0]).toMatchObject({ ruleId: "encoding.bom", level: "note" });
});

test("each result refers to a rule with the fields that code scanning requires", async () => {
  for (const flags of [[], ["--no-lint"]]) {
    const { run } = await sarif(files, ...flags);
    const { rules } = run.tool.driver;
    for (const { ruleId, ruleIndex } of run.results) expect(rules[ruleIndex].id).toBe(ruleId);
    for (const rule of rules)
      expect(rule).toMatchObject({
        shortDescription: { text: expect.stringMatching(/./) },
        fullDescription: { text: expect.stringMatching(/./) },
        help: { text: expect.stringMatching(/./) },
        defaultConfiguration: { level: expect.stringMatching(/^(error|warning|note)$/) },
      });
    expect(new Set(rules.map(({ id }: { id: string }) => id)).size).toBe(rules.length);
  }
});

test("every rule of the linter is listed, including those without a finding", async () => {
  const { run } = await sarif(files);
  const ids = run.tool.driver.rules.map(({ id }: { id: string }) => id);
  expect(ids).toContain("SEC-01");
  expect(ids).toContain("SEC-24");
});

test("a fingerprint stays when lines move, and equal findings have different ones", async () => {
  const twice =
    "---\nname: a\ndescription: x\n---\nDo [it](references/no.md).\n\nAnd [it](references/no.md).\n";
  const prints = async (text: string) => {
    const { run } = await sarif({ "project/a/SKILL.md": text });
    return run.results
      .filter(({ ruleId }: { ruleId: string }) => ruleId === "SEC-23")
      .map((result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0]);
  };
  const first = await prints(twice);
  expect(first.length).toBeGreaterThan(0);
  expect(new Set(first).size).toBe(first.length);
  expect(await prints(twice.replace("Do", "\n\nDo"))).toEqual(first);
});

test("without a skill the log has no results", async () => {
  const { code, run } = await sarif({});
  expect({ code, results: run.results }).toEqual({ code: 1, results: [] });
});
