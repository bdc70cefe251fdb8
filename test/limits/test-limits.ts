import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { root } from "../repository/readers/packages.js";
import type { Limit } from "./limit.js";

/** Tests that each limit is where the table says, and nowhere else. */
export function testLimits(limits: readonly Limit[]): void {
  for (const { package: name, option, value, unit, documented, source, probe } of limits)
    describe(`${name}: ${option}`, () => {
      test(`is ${value} ${unit} and no other`, async () => await probe(value));

      test("is documented where the table says", () => {
        expect(plain(documented[0])).toContain(oneSpace(documented[1]));
      });

      test("is set where the table says, once", () => {
        expect(readFileSync(`${root}/${source[0]}`, "utf8").split(source[1])).toHaveLength(2);
      });
    });
}

/** The text without line breaks and comment markers. */
function plain(file: string): string {
  return oneSpace(readFileSync(`${root}/${file}`, "utf8").replace(/^\s*\* /gm, " "));
}

function oneSpace(text: string): string {
  return text.replace(/\s+/g, " ");
}
