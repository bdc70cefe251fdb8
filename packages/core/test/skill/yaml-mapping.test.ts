import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/full-form.js";
import { readYamlMapping } from "../../src/skill/yaml-mapping.js";

const PLAIN = [
  'a: {"b": {"c": ["d", 1]}, e: [f g, true]}\nh: []\ni: {}',
  "name: pdf-to-markdown\ndescription: Reads (most) PDF files, also large ones; use it for them. It's quick!",
  "\nname: a\n# A comment.\n\nmetadata:\n  author: \"J. Doe\"\n  version: 1.0\n  tags: [pdf, text files]\nlicense: 'MIT'",
  "tags:\n- one\n- two\nother:\n  - three\n  - 4\nempty:\nlast: 1.2.3",
  "description: 数据 文件 図\u3000と “quotes” — and dashes",
  "description:\n  one\n  two - three",
  "a: >\n  folded\n  text\nb: |-\n    kept\n    lines\nc: goes\n on\n   and on",
  "outer:\n   inner:\n     deep: x\n   next: z",
];

describe("headers in the common form have the values that js-yaml loads", () => {
  test.each(PLAIN)("%j", (source) => {
    expect(values(source)).toEqual(load(source));
  });
});

describe("every header without a repeated key has the values that js-yaml loads", () => {
  test("lines", () => {
    const made = fc.array(madeLine, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n"));
    expect(readAlike(made)).toBeGreaterThan(RUNS / 20);
  });

  test("brackets", () => {
    const made = fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 7 });
    const flow = fc.tuple(
      fc.constantFrom("[", "{a: ", "{", "[["),
      made,
      fc.constantFrom("]", "}", " ]", "]]"),
    );
    expect(
      readAlike(flow.map(([open, tokens, close]) => `a: ${open}${tokens.join("")}${close}`)),
    ).toBeGreaterThan(RUNS / 200);
  });
});

/** Number of the sources that are one mapping. */
function readAlike(sources: fc.Arbitrary<string>): number {
  let mappings = 0;
  const property = fc.property(sources, (source) => {
    const read = values(source);
    if (!read) return;
    mappings++;
    expect(read, JSON.stringify(source)).toEqual(JSON.parse(JSON.stringify(load(source), asText)));
  });
  fc.assert(property, runs(FULL_RUNS));
  return mappings;
}

/** JSON has no infinity. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

function values(source: string): unknown {
  const read = readYamlMapping(source);
  if (read.kind !== "mapping" || read.duplicate) return undefined;
  // An empty key stays as written, where YAML makes it null.
  if (read.entries.some(({ key }) => key === "")) return undefined;
  return Object.fromEntries(read.entries.map(({ key, value }) => [key, value]));
}

const FULL_RUNS = 50_000;
const RUNS = runs(FULL_RUNS).numRuns;

const TOKENS = [
  "a",
  "b c",
  "1",
  "1.50",
  "true",
  "x-y",
  "[",
  "]",
  "{",
  "}",
  ",",
  ", ",
  ": ",
  ":",
  '"q"',
  "'s'",
  " ",
  "é",
  "a.b/c",
  "-",
  "#",
  "!",
];
const INDENTS = ["", "  ", "    ", " "];
const STARTS = [
  "",
  "a:",
  "b:",
  "name:",
  "c-d:",
  "e.f:",
  "Key_1:",
  "-",
  "#",
  "null:",
  "on:",
  "1:",
  '"q":',
  "<<:",
  "é:",
];
const GAPS = [" ", "", "  ", "\t", " : "];
const PLAIN_PIECES = [
  "",
  "text",
  "two words",
  "1",
  "0",
  "1.50",
  "1.2.3",
  "[a, b]",
  "[]",
  '"quoted"',
  "'single'",
  "a#b",
  "a, b",
];
const PIECES = [
  ...[
    "-1",
    "01",
    "1_000",
    "1e3",
    "0x1",
    ".5",
    "2024-01-02",
    "12:30",
    "1.2.3.4-rc",
    "1.",
    "true",
    "No",
    "null",
    "~",
    "y",
  ],
  ...[
    "[a, ]",
    "[ ]",
    "[a: b]",
    "[1, x]",
    "[true]",
    "[a b, c/d]",
    "[[a]]",
    "[a,,b]",
    "{a: b}",
    "a]",
    "a, b",
    "{}",
    "{ a: b }",
    "{a: [b, c d], e: 1.50}",
    '{"a":{"b":["c"]}, \'d\': true}',
    "{a:b}",
    "{a: , b}",
    "{a}",
    "[a, {b: c}]",
    "{a: b, a: c}",
    "{a: b} c",
    "[a]b",
    "[ a , b ]",
    "{true: a}",
    "[a-]",
    "[- a]",
    "{a: b:c}",
    "[yes]",
    "[[], {}]",
    "[1.2.3, 01]",
    "{ }",
    "[a b ]",
    '{"a" : 1}',
    "{a : 1}",
    '["x"y]',
    "[a,b]",
    "{a: {b: {c: d}}}",
  ],
  ...['"a\\tb"', "'it''s'", '"open', "'x' y", '"a" #c', "'a\"b'", '"a\'b"', '"  a "', "''", '""', "'"],
  ...[
    "a: b",
    "a:b",
    "a #b",
    "x:",
    "# c",
    "|",
    ">-",
    "&x a",
    "*x",
    "!t x",
    "@a",
    "`a",
    "%a",
    "- a",
    "---",
    "...",
  ],
  ...[
    "(x)",
    "/p/q",
    "$HOME",
    "_x",
    "é",
    "数据",
    "\u00a0x",
    "x ",
    "a - b",
    "?",
    "=",
    "<",
    ".inf",
    "Infinity",
    "NaN",
  ],
  ...[
    "a\\b",
    "😀",
    "\u2028",
    "\u0085",
    "\ufeff",
    "x\ufeff",
    "\u00ad",
    "\ufffd",
    "constructor",
    "-",
    ":",
    ",",
  ],
];

const madeLine = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constant("") }, fc.constantFrom(...INDENTS)),
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...STARTS.slice(0, 8)) }, fc.constantFrom(...STARTS)),
    fc.oneof({ weight: 9, arbitrary: fc.constant(" ") }, fc.constantFrom(...GAPS)),
    fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...PLAIN_PIECES) }, fc.constantFrom(...PIECES)),
  )
  .map((parts) => parts.join(""));
