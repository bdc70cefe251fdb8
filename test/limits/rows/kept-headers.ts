import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { skillMarkdown } from "../../../packages/contracts/src/index.js";
import { fsRepository } from "../../../packages/repository-fs/src/index.js";
import { temporaryDirectory, writeSkills } from "../../../packages/repository-fs/test/fs-subject.js";
import { limitsOf } from "../limit.js";

export const keptHeaderLimits = limitsOf("repository-fs", [
  {
    option: "headers that a listing has to read before it keeps them for later processes",
    kind: "limit",
    value: 200,
    unit: "headers",
    documented: ["README.md", "a listing that reads 200 or more headers keeps them in a private file"],
    source: ["src/skills/head-cache.ts", "MANY = 200"],
    probe: async (value) => {
      expect(await isKept(value - 1)).toBe(false);
      expect(await isKept(value)).toBe(true);
    },
  },
]);

async function isKept(count: number): Promise<boolean> {
  const { root, dispose } = await temporaryDirectory();
  const names = Array.from({ length: count }, (_, index) => `skill-${index}`);
  await writeSkills(
    root,
    Object.fromEntries(names.map((name) => [name, { "SKILL.md": skillMarkdown(name) }])),
  );
  const repository = fsRepository({ root, cache: { directory: join(root, ".cache") } });
  await repository.list();
  await repository.close();
  const kept = (await readdir(root)).includes(".cache");
  await dispose();
  return kept;
}
