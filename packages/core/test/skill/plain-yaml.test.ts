import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/full-form.js";
import { readPlainYaml } from "../../src/skill/plain-yaml.js";
import { readAnyYaml } from "../../src/skill/yaml-mapping.js";

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

describe("headers in the common form are read without the full YAML parser", () => {
  test.each(PLAIN)("%j", (source) => {
    expect(readPlainYaml(source)).toBeDefined();
    expect({ kind: "mapping", entries: readPlainYaml(source) }).toEqual(readAnyYaml(source));
  });
});

test("headers that need the full YAML parser are left to it", () => {
  for (const value of [
    "&a b",
    "*a",
    "!t x",
    "| ",
    ">-",
    "a: b",
    "a #b",
    '"\\n"',
    "'it''s'",
    "yes",

    "0x1f",
    "1e3",
  ])
    expect(readPlainYaml(`key: ${value}`), value).toBeUndefined();
  for (const source of [
    "",
    "# only",
    "- a",
    "a: 1\na: 2",
    "a: b\n\n c",
    "? a",
    "{a: 1}",
    "a:\tb",
    "__proto__: 1",
    "true: 1",
  ])
    expect(readPlainYaml(source), source).toBeUndefined();
});

describe("every result equals that of the full YAML parser", () => {
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

/** How many of them are read without the full YAML parser. */
function readAlike(sources: fc.Arbitrary<string>): number {
  let plain = 0;
  const property = fc.property(sources, (source) => {
    const entries = readPlainYaml(source);
    if (!entries) return;
    plain++;
    expect({ kind: "mapping", entries }, JSON.stringify(source)).toEqual(readAnyYaml(source));
  });
  fc.assert(property, runs(FULL_RUNS));
  return plain;
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
  "?",
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
