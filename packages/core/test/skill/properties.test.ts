import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/full-form.js";
import { leastTime } from "../../../../test/timing/least-time.js";
import { parseSkill, validateSkill } from "../../src/index.js";
import { HOSTILE_FILLERS } from "./hostile-headers.js";
import { codes, skillFile } from "./skill-case.js";

const corpus = join(import.meta.dirname, "../corpus");
const samples = readdirSync(corpus, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md"))
  .map((path) => readFileSync(join(corpus, path)));

const token = fc.constantFrom(
  ..."name description license metadata allowed-tools __proto__ constructor toString".split(" "),
  ..."--- : - ? & * ! | > { } [ ] , # ' \" % @ ` ~ << \n \r \t \\u202e \u{1f642} \0 \ufeff !!js/function &a *a".split(
    " ",
  ),
  "\n",
  "\n  ",
  ": ",
  " ",
);
const yamlLike = fc.array(
  fc.oneof({ weight: 6, arbitrary: token }, fc.string({ unit: "binary", maxLength: 6 })),
  {
    maxLength: 60,
  },
);
const mutated = fc
  .record({
    sample: fc.constantFrom(...samples),
    from: fc.nat(400),
    length: fc.nat(40),
    instead: fc.uint8Array({ maxLength: 20 }),
  })
  .map(({ sample, from, length, instead }) =>
    Buffer.concat([sample.subarray(0, from), instead, sample.subarray(from + length)]),
  );
const file: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  yamlLike.map((parts) => skillFile(parts.join(""))),
  yamlLike.map((parts) => skillFile(`name: d\ndescription: ${parts.join("")}`)),
  mutated,
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ unit: "binary" }),
);

describe("any input", () => {
  test("is parsed without an exception, quickly, with the same result each time, as plain JSON, without prototype pollution", () => {
    const prototype = Reflect.ownKeys(Object.prototype).length;
    check(
      fc.property(file, fc.string(), (content, directoryName) => {
        const read = parseSkill(content, { directoryName });
        expect(leastTime(() => parseSkill(content, { directoryName }), 1000)).toBeLessThan(1000);
        expect(parseSkill(content, { directoryName })).toEqual(read);
        const { skill } = read;
        if (skill) {
          expect(JSON.stringify(JSON.parse(JSON.stringify(skill)))).toBe(JSON.stringify(skill));
          expect(skill.description).toMatch(/^\P{Cc}+$/u);
          expect(skill.name).toMatch(/^\P{Cc}*$/u);
        }
        expect(Reflect.ownKeys(Object.prototype)).toHaveLength(prototype);
      }),
    );
  });

  test("is validated consistently by each profile: portable accepts no more than spec, spec no more than client", () => {
    check(
      fc.property(file, (content) => {
        const judged = (profile: "spec" | "client" | "portable") =>
          codes(validateSkill(content, { directoryName: "d", profile }), "error");
        expect(judged("portable")).toEqual(expect.arrayContaining(judged("spec")));
        if (judged("spec").length === 0) expect(judged("client")).toEqual([]);
        expect(judged("client").length === 0).toBe(
          parseSkill(content, { directoryName: "d" }).skill !== undefined,
        );
      }),
    );
  });

  test("is reported with positions that are in the file", () => {
    check(
      fc.property(file, (content) => {
        const lines = Buffer.from(content)
          .toString("utf8")
          .split(/\r\n|\r|\n/);
        for (const { line = 1, column = 1 } of validateSkill(content, {
          directoryName: "d",
          profile: "portable",
        })) {
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
        }
      }),
    );
  });
});

test("hostile headers of 1 MiB each are read in 64 MiB of heap", () => {
  const program = `
    import { createInterface } from "node:readline";
    import { parseSkill, validateSkill } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url))};
    for await (const line of createInterface({ input: process.stdin })) {
      const { what, text } = JSON.parse(line);
      parseSkill(text, { directoryName: "d" });
      validateSkill(text, { directoryName: "d", profile: "portable" });
      console.log(what);
    }`;
  const headers = HOSTILE_FILLERS.flatMap(([what, filler]) =>
    [99 * 1024, 1024 * 1024].map((length) => ({
      what: `${what}, ${length}`,
      text: skillFile(`name: d\n${filler(length)}\ndescription: d`),
    })),
  );
  // When collection takes long by the wall clock, as on a busy machine, the engine considers the heap full.
  const heap = ["--max-old-space-size=64", "--no-detect-ineffective-gcs-near-heap-limit"];
  const read = execFileSync(process.execPath, [...heap, "--input-type=module", "-e", program], {
    // `readline` ends a line at U+2028 and U+2029, which JSON leaves unescaped.
    input: headers
      .map((header) => `${JSON.stringify(header).replace(/[\u2028\u2029]/g, escaped)}\n`)
      .join(""),
    encoding: "utf8",
  });
  expect(read.trimEnd().split("\n")).toEqual(headers.map(({ what }) => what));
});

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function check<Values>(property: fc.IProperty<Values>): void {
  fc.assert(property, runs(1000));
}
