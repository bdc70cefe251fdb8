import { SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { memoryRepository } from "../src/index.js";

const files = [
  { path: "SKILL.md", content: "---\nname: a\ndescription: Does a.\n---\nDo it.\n" },
  ...Array.from({ length: 600 }, (_, n) => ({ path: `f${n}`, content: "x" })),
];

test("the number of files of an upload is limited by an option", async () => {
  const refused: unknown = await memoryRepository()
    .upload(files)
    .catch((error: unknown) => error);
  expect(SkillError.is(refused, "LIMIT_EXCEEDED")).toBe(true);
  const { manifest } = await memoryRepository({ limits: { files: 1000 } }).upload(files);
  expect(manifest.files).toHaveLength(601);
  expect(() => memoryRepository({ limits: { files: -1 } })).toThrow(/limits.files/);
});
