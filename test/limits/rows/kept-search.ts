import { expect } from "vitest";
import { skillMarkdown } from "../../../packages/contracts/src/index.js";
import { memoryRepository } from "../../../packages/repository-memory/src/index.js";
import { skillBox } from "../../../packages/skillbox/src/index.js";
import { limitsOf } from "../limit.js";

export const keptSearchLimits = limitsOf("skillbox", [
  {
    option: "bodies that a search has to read before it keeps what it found for later processes",
    kind: "limit",
    value: 100,
    unit: "bodies",
    documented: ["README.md", "after one that read 100 bodies or more"],
    source: ["src/search/kept-terms.ts", "MANY = 100"],
    probe: async (value) => {
      expect(await isKept(value - 1)).toBe(false);
      expect(await isKept(value)).toBe(true);
    },
  },
]);

async function isKept(count: number): Promise<boolean> {
  const names = Array.from({ length: count }, (_, index) => `skill-${index}`);
  const skills = Object.fromEntries(names.map((name) => [name, { "SKILL.md": skillMarkdown(name) }]));
  let kept = false;
  const searchStore = {
    read: async () => new Map<string, string>(),
    write: async () => {
      kept = true;
    },
  };
  const box = skillBox({ own: memoryRepository({ skills }) }, { searchStore });
  await box.search("anything");
  await box.close();
  return kept;
}
