import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { limits } from "./limits.js";
import { limitsDocument } from "./limits-document.js";
import { testLimits } from "./test-limits.js";

testLimits(limits.filter(({ needs }) => needs === undefined));

test("docs/limits.md is generated from the table", async () => {
  const page = fileURLToPath(new URL("../../docs/limits.md", import.meta.url));
  await expect(limitsDocument(limits)).toMatchFileSnapshot(page);
});
