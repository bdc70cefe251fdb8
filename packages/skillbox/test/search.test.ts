import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile } from "./skill-file.js";

const skills = {
  csv: skillFile("csv-analyst", "Summarises CSV files, groups rows and draws a chart."),
  pdf: skillFile("pdf-to-markdown", "Converts PDF documents to Markdown text."),
  translate: skillFile("segment-translator", "Translates long Markdown documents segment by segment."),
  maths: skillFile("python-maths", "Computes Fibonacci numbers and prime factors."),
  check: skillFile("consistency-checker", "在写作过程中检查角色、世界设定和时间线一致性"),
};
const box = skillBox({ own: memoryRepository({ skills }) });

async function best(query: string, limit?: number): Promise<string[]> {
  const hits = await box.search(query, limit === undefined ? {} : { limit });
  return hits.map(({ skill }) => skill.name);
}

describe("search", () => {
  test.each([
    ["Analyse data/orders.csv and write me a report", "csv-analyst"],
    ["convert this pdf", "pdf-to-markdown"],
    ["fibonaci", "python-maths"],
    ["translate a document", "segment-translator"],
    ["角色设定 一致性", "consistency-checker"],
  ])("%j finds %s first", async (query, name) => {
    expect((await best(query))[0]).toBe(name);
  });

  test("a word in the name counts more than one in the description", async () => {
    expect(await best("markdown")).toEqual(["pdf-to-markdown", "segment-translator"]);
  });

  test("scores decrease and are above 0; the limit applies; empty words find nothing", async () => {
    const hits = await box.search("markdown documents");
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    expect(hits.at(-1)?.score).toBeGreaterThan(0);
    expect(await best("markdown documents", 1)).toHaveLength(1);
    expect(await best("")).toEqual([]);
    expect(await best("please do this for me")).toEqual([]);
  });

  test.each(
    "a an and are as at be by can do for from has have how i in into is it its me my of on or our"
      .split(" ")
      .concat(
        "please that the their them then this to us use used user using want we what when where which with you your".split(
          " ",
        ),
      ),
  )(
    "%j alone finds nothing, though a skill contains it; combined with another word that one decides",
    async (word) => {
      const texts = {
        said: skillFile("said", `It says ${word} of stripes.`),
        other: skillFile("other", "Draws zebras."),
      };
      const catalogue = skillBox({ own: memoryRepository({ skills: texts }) });
      expect(await catalogue.search(word)).toEqual([]);
      expect((await catalogue.search(`${word} zebras`)).map(({ skill }) => skill.name)).toEqual(["other"]);
    },
  );

  test("finds a skill that was added later", async () => {
    const memory = memoryRepository();
    const late = skillBox({ own: memory });
    expect(await late.search("zebra")).toEqual([]);
    await memory.upload([{ path: "SKILL.md", content: skillFile("zebra", "Stripes")["SKILL.md"] }]);
    expect((await late.search("zebra")).map(({ skill }) => skill.name)).toEqual(["zebra"]);
  });
});
