import { expect, test } from "vitest";
import { parseArtifactReference } from "../src/inputs/input-source.js";

test.each([
  ["INPUT-03", "item@123", { name: "item", version: 123 }],
  ["INPUT-03", "item@0", { name: "item", version: 0 }],
  ["INPUT-04", "plain", { name: "plain" }],
  ["INPUT-04", "tail@", { name: "tail@" }],
  ["INPUT-04", "bad@v1", { name: "bad@v1" }],
  ["INPUT-04", "a@b@c", { name: "a@b@c" }],
  ["INPUT-03", "a@b@123", { name: "a@b", version: 123 }],
  ["a folder in the name", "reports/x.pdf@2", { name: "reports/x.pdf", version: 2 }],
  ["digits of another script are no version", "item@١", { name: "item@١" }],
  ["a negative number is no version", "item@-1", { name: "item@-1" }],
  ["a number beyond all versions is part of the name", "item@12345678901", { name: "item@12345678901" }],
])("%s: %s", (_, text, reference) => {
  expect(parseArtifactReference(text)).toEqual(reference);
});
