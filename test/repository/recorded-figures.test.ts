import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "../../scripts/bootstrap/root.mjs";

const { drawnFigures } = await import(`${root}/bench/quick/drawn-figures.mjs`);
const { formatVersion, records } = JSON.parse(readFileSync(`${root}/bench/figures.json`, "utf8"));

test("the picture of the recorded figures shows what is recorded", () => {
  expect(formatVersion).toBe(1);
  expect(readFileSync(`${root}/docs/speed.svg`, "utf8")).toBe(drawnFigures(records));
});
