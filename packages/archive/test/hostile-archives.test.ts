import { describe, test } from "vitest";
import { expectRefusal } from "./hostile/refusal.js";
import { tarCases } from "./hostile/tar-cases.js";
import { wholeArchiveCases } from "./hostile/whole-archive-cases.js";
import { zipFormCases } from "./hostile/zip-form-cases.js";
import { zipNameCases } from "./hostile/zip-name-cases.js";

/** Each archive is refused with its code and a message that names the entry, and nothing is written. */
describe.each([
  ["names and types in a zip", zipNameCases],
  ["the form of a zip", zipFormCases],
  ["a tar", tarCases],
  ["an archive as a whole", wholeArchiveCases],
])("hostile archives: %s", (_, cases) => {
  test.each(cases)("$id $what", expectRefusal);
});
