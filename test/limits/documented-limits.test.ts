import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasAll } from "../needs/has-all.js";
import { root } from "../repository/readers/packages.js";
import { limits } from "./limits.js";
import { limitsDocument } from "./limits-document.js";

for (const { package: name, option, value, unit, documented, source, needs, probe } of limits)
  describe(`${name}: ${option}`, () => {
    if (needs === undefined || hasAll(needs))
      test(`is ${value} ${unit} and no other`, async () => await probe(value));

    test("is documented where the table says", () => {
      expect(plain(documented[0])).toContain(oneSpace(documented[1]));
    });

    test("is set where the table says, once", () => {
      expect(readFileSync(`${root}/${source[0]}`, "utf8").split(source[1])).toHaveLength(2);
    });
  });

test("docs/limits.md is generated from the table", async () => {
  const page = fileURLToPath(new URL("../../docs/limits.md", import.meta.url));
  await expect(limitsDocument(limits)).toMatchFileSnapshot(page);
});

/** The text without line breaks and comment markers. */
function plain(file: string): string {
  return oneSpace(readFileSync(`${root}/${file}`, "utf8").replace(/^\s*\* /gm, " "));
}

function oneSpace(text: string): string {
  return text.replace(/\s+/g, " ");
}
