import { describe, expect, it } from "vitest";
import { readFrontmatter, skillFile } from "./bundled-skill.js";
import { markdownSegments } from "./markdown-segments.js";

const oneLine = (text: string) => text.replace(/\s+/g, " ");

/** The cells of the first table below a heading, or of the first table at all. */
function table(text: string, heading = ""): string[][] {
  const rows = text.slice(text.indexOf(heading)).split("\n");
  const start = rows.findIndex((row) => row.startsWith("| ---"));
  const end = rows.findIndex((row, at) => at > start && !row.startsWith("|"));
  return rows.slice(start + 1, end).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

describe("consistency-checker", () => {
  const chapter = (number: string) =>
    oneLine(skillFile("consistency-checker", `assets/story/chapter-${number}.md`));
  const expected = skillFile("consistency-checker", "references/expected-findings.md");
  const findings = table(expected);

  it("expects contradictions of all kinds in its ledger, each between two chapters", () => {
    expect(findings).toHaveLength(7);
    const kinds = new Set(findings.map(([, kind]) => kind));
    expect(kinds).toEqual(new Set(["character", "world rule", "object", "timeline", "knowledge"]));
    const ledger = table(skillFile("consistency-checker", "SKILL.md")).map(([kind]) => kind);
    for (const kind of kinds) expect(ledger).toContain(kind);
  });

  it.each(findings)("quotes finding %s (%s) as in the chapters: %s", (_, __, places = "") => {
    const quotations = [...places.matchAll(/(\d): "([^"]+)"/g)];
    expect(quotations).toHaveLength(2);
    expect(quotations[0]?.[1], "in different chapters").not.toBe(quotations[1]?.[1]);
    for (const [, number = "", quotation = ""] of quotations) expect(chapter(number)).toContain(quotation);
  });

  it("calculates the calendar correctly: if the third is a Monday, the seventh is a Friday", () => {
    const monday = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2020 + at, 2, 3))).find(
      (day) => day.getUTCDay() === 1,
    );
    expect(monday).toBeDefined();
    expect(new Date((monday?.getTime() ?? 0) + 4 * 86_400_000).getUTCDay()).toBe(5);
  });

  it("shows only examples that are in the chapters", () => {
    const story = ["1", "2", "3"].map(chapter).join(" ");
    const example = /\n> [\s\S]*?\n\n/.exec(skillFile("consistency-checker", "SKILL.md"))?.[0] ?? "";
    const quotations = [...example.matchAll(/: "([^"]+?)\.?"/g)].map(([, quotation]) => quotation);
    expect(quotations).toHaveLength(2);
    for (const quotation of quotations) expect(story).toContain(quotation);
  });
});

describe("code-reviewer", () => {
  const sample = skillFile("code-reviewer", "assets/notes-service/app.py").split("\n");
  const findings = table(skillFile("code-reviewer", "references/expected-findings.md"));

  it("names its tools in the standard field and, as one text, in metadata", () => {
    const { fields, metadata } = readFrontmatter("code-reviewer");
    expect(fields["allowed-tools"]).toBe("workspace_read workspace_list");
    expect(metadata["toolHints"]).toBe("workspace_read workspace_list");
  });

  it.each(findings)(
    "expects finding %s (%s, %s) on line %s, where it is",
    (_, severity = "", category = "", line, code = "") => {
      expect(sample[Number(line) - 1]).toContain(code.replaceAll("`", ""));
      expect(skillFile("code-reviewer", "references/severity.md")).toContain(`| ${severity} |`);
      expect(skillFile("code-reviewer", "references/owasp-checklist.md")).toContain(
        `## ${category.slice(0, 3)} `,
      );
    },
  );

  it("asks about the code in each of the ten categories", () => {
    const sections = skillFile("code-reviewer", "references/owasp-checklist.md")
      .split(/\n## (?=A\d\d )/)
      .slice(1);
    expect(sections.map((section) => section.slice(0, 3))).toEqual(
      Array.from({ length: 10 }, (_, at) => `A${String(at + 1).padStart(2, "0")}`),
    );
    for (const section of sections) expect(section.match(/\?/g)?.length).toBeGreaterThan(1);
  });
});

describe("markdown-segment-translator", () => {
  const source = skillFile("markdown-segment-translator", "assets/tide-clock.md");
  const worked = skillFile("markdown-segment-translator", "references/worked-example.md");

  it("cuts its sample as its own rules say", () => {
    const segments = markdownSegments(source, 250);
    expect(segments.map(({ text }) => text).join("")).toBe(source);
    const plan = segments.map(({ line, heading, tokens }, at) => [at + 1, line, heading, tokens].map(String));
    expect(table(worked)).toEqual(plan);
  });

  it("counts correctly what must stay the same in the translation", () => {
    const prose = source.replace(/^---[\s\S]*?\n---\n/, "").replace(/^```[\s\S]*?^```$/gm, "");
    const count = (pattern: RegExp, text = prose) => String(text.match(pattern)?.length ?? 0);
    expect(Object.fromEntries(table(worked, "## What must be"))).toEqual({
      "headings of level 1, 2, 3": [/^# /gm, /^## /gm, /^### /gm].map((level) => count(level)).join(", "),
      "code blocks": count(/^```\w+$/gm, source),
      tables: count(/^\| ---/gm),
      "links with a target of their own": count(/\]\(|<https:/g),
      "list items": count(/^(-|\d\.) /gm),
      "footnote marks and definitions": `${count(/\[\^1\](?!:)/g)} and ${count(/^\[\^1\]:/gm)}`,
    });
  });

  it("lists the link targets in their order, and every anchor that changes", () => {
    const targets = [...source.matchAll(/\]\(([^\s)]+)|<(https:[^>]+)>/g)].map(
      ([, link, address]) => link ?? address,
    );
    expect(oneLine(worked)).toContain(`in order: ${targets.map((target) => `\`${target}\``).join(", ")}.`);
    const anchors = targets.filter((target) => target?.startsWith("#")).map((target) => `\`${target}\``);
    expect(
      table(worked, "## Anchors")
        .map(([anchor]) => anchor)
        .sort(),
    ).toEqual(anchors.sort());
  });

  it("follows its own glossary in the translation that it shows", () => {
    const glossary = table(skillFile("markdown-segment-translator", "assets/glossary.md"));
    const example =
      /```markdown\n([\s\S]*?)```/.exec(skillFile("markdown-segment-translator", "SKILL.md"))?.[1] ?? "";
    expect(glossary.find(([term]) => term === "harbour number")?.[1]).toBe("Hafenzahl");
    expect(example).toContain("### Hafenzahlen");
    expect(example).toContain("<https://example.org/harbours>");
    expect(example).toContain("[^1]");
    for (const [term = ""] of glossary)
      expect(source.toLowerCase()).toContain(term.split(",")[0]?.toLowerCase());
  });
});
