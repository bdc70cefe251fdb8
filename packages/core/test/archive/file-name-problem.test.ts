import { expect, test } from "vitest";
import { fileNameProblem } from "../../src/adapter.js";

test.each([
  ["con", "device"],
  ["NUL.txt", "device"],
  ["Aux .md", "device"],
  ["com1", "device"],
  ["LPT\u00b9.log", "device"],
  ["CONIN$", "device"],
  ["a.", "dot or a space"],
  ["a ", "dot or a space"],
  ["...", "dot or a space"],
  ["a:b", "colon"],
])("%j is not an ordinary file name on every system (TAR-15)", (name, reason) => {
  expect(fileNameProblem(name)).toContain(reason);
});

test.each(["console.log", "com10", "lpt", "null", "a.con", ".env", "auxiliary.md", " a", "$"])(
  "%j is an ordinary file name",
  (name) => {
    expect(fileNameProblem(name)).toBeUndefined();
  },
);
