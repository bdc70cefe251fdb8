import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { HEADER_FORMAT } from "../../src/adapter.js";
import { parseSkill } from "../../src/index.js";

const HEADERS = [
  "name: pdf\ndescription: Reads PDF files.",
  "name: Pdf Files\ndescription: Reads.",
  "description: Without a name.",
  "name: pdf",
  "name: pdf\ndescription: Use: it for PDF files.",
  "name: pdf\ndescription: Cut # here",
  'name: "pdf"\ndescription: >\n  Reads\n  PDF files.\nlicense: MIT\nversion: 1.0',
  "name: pdf\ndescription: |-\n  Reads\n\n  files.\nallowed-tools: Read, Write(a b)\nmetadata:\n  author: me\n  version: 1.0",
  "name: pdf\ndescription: Reads.\nmetadata:\n  openclaw:\n    requires: { bins: [git, jq], env: [TOKEN] }",
  "name: pdf\nname: pdf2\ndescription: Twice.",
  "name: [a, b]\ndescription: {c: d}",
  "Name: pdf\nDescription: Capitals.",
  `name: ${"x".repeat(70)}\ndescription: ${"y".repeat(1100)}`,
  "name: pdf\ndescription: Control \u0007 and \u202e.",
  "name: pdf\ndescription: Broken\n  - a: [b\nother: c",
  "name: émile\ndescription: 数据。\ntriggers: [a]\nkind: knowledge\nuser-invocable: no",
  "",
  "# nothing",
  "- a list",
];

/** The hash of the results, for each version. Another result needs another version, because results are stored. */
const RESULTS: Readonly<Record<number, string>> = {
  1: "e6a58ad1f86e5c59",
};

test("the version of headers stands for exactly these results", () => {
  const hash = createHash("sha256");
  for (const header of HEADERS) {
    const { skill, diagnostics } = parseSkill(`---\n${header}\n---\nBody\n`, { directoryName: "pdf" });
    hash.update(JSON.stringify([skill?.name, skill?.description, skill?.frontmatter, diagnostics]));
  }
  expect({ [HEADER_FORMAT]: hash.digest("hex").slice(0, 16) }).toEqual(RESULTS);
});
