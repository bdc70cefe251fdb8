import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/full-form.js";
import { readPlainHeader } from "../../src/skill/plain-header.js";
import { readYamlMapping } from "../../src/skill/yaml-mapping.js";

const PLAIN = [
  "name: pdf-to-markdown\ndescription: Reads (most) PDF files, also large ones; it's quick & good, a#b http://x",
  'name:   a\ndescription: "Use: it # now \' "\nversion: 1.2.0\nlicense: \'MIT: "so"\'',
  "description: >\n  Use: it # now\n  'again'\nother: |-\n    a\n    - b\nthird: |\n a\nlast: >\n  b",
  'tags: [a, b_c,true-ish]\nmetadata:\n    author: J. Doe\n    version: "1.0"\n    a.b: 数据\nlast: ünï',
];

describe("a header in the simplest form is read without the YAML parser", () => {
  test.each(PLAIN)("%j has the entries that the parser gives", (source) => {
    expect(readPlainHeader(source)).toStrictEqual(parsed(source));
  });
});

describe("a header is left to the YAML parser", () => {
  const left = {
    "where a word is no text": "a: null\nb: c",
    "where a key is no text": "True: c",
    "where a value is a number": "a: 1.0",
    "where a value has a colon that ends a key": "a: b: c",
    "where a value has a comment": "a: b #c",
    "where a value goes on in the next line": "a: b\n  c",
    "where a value has an anchor": "a: &b c",
    "where a quote has an escape": 'a: "b\\n"',
    "where a quote is not closed": 'a: "b',
    "where a key occurs twice": "a: b\na: c",
    "where an inner key occurs twice": "a:\n  b: c\n  b: d",
    "where a map is two levels deep": "a:\n  b:\n    c: d",
    "where the lines of a map begin differently": "a:\n  b: c\n   d: e",
    "where a line has a tab": "a: b\tc",
    "where a list has a word that is no text": "a: [b, null]",
    "where a line is blank": "a: b\n\nc: d",
    "where a value has U+2028": "a: b\u2028c",
    "where a block has a blank line": "a: >\n  b\n\n  c",
    "where a line of a block is indented further": "a: |\n  b\n    c",
    "where a block is empty": "a: >\nb: c",
    "where a key has no value": "a:",
    "where it is empty": "",
  };
  test.each(Object.entries(left))("%s", (_what, source) => {
    expect(readPlainHeader(source)).toBeUndefined();
  });
});

const TOKENS = [
  "a",
  "B-c",
  "é",
  "数",
  "1",
  "1.2.3",
  "null",
  "true",
  "no",
  " ",
  "  ",
  ": ",
  ":",
  "#",
  " #",
  '"',
  "'",
];
const SIGNS = [
  "[",
  "]",
  ", ",
  ",",
  "{",
  "}",
  "-",
  "- ",
  "&x",
  "*x",
  "!",
  "|",
  ">",
  "%",
  "@",
  "`",
  "\\",
  "\t",
  "\u2028",
  ".",
];
const STARTS = [
  "a: ",
  "b: ",
  "name: ",
  "a:\n  ",
  "  c: ",
  "  d: ",
  "\n",
  "a: >\n  ",
  "b: |\n  ",
  "  ",
  "c: >-\n ",
  "d: |-\n ",
  "e: [",
  'f: "',
  "g: '",
];

test("whatever is read without the YAML parser has the entries that the parser gives", () => {
  const line = fc
    .tuple(
      fc.constantFrom(...STARTS),
      fc.array(fc.constantFrom(...TOKENS, ...SIGNS), { maxLength: 4 }),
      fc.constantFrom("", "", "", "]", '"', "'"),
    )
    .map(([start, tokens, end]) => start + tokens.join("") + end);
  let read = 0;
  const property = fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
    const source = lines.join("\n");
    const plain = readPlainHeader(source);
    if (!plain) return;
    read++;
    expect(plain, JSON.stringify(source)).toStrictEqual(parsed(source));
  });
  fc.assert(property, runs(FULL_RUNS));
  expect(read).toBeGreaterThan(0);
});

const FULL_RUNS = 200_000;

function parsed(source: string): unknown {
  const reading = readYamlMapping(source);
  return reading.kind === "mapping" && !reading.duplicate ? reading.entries : reading.kind;
}
