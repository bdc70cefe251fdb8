import { expect } from "vitest";
import { lintSkill } from "../../../packages/lint/src/index.js";
import { limitsOf } from "../limit.js";

const SKILL = "---\nname: one\ndescription: One.\n---\n";

export const lintLimits = limitsOf("lint", [
  {
    option: "`lintSkill`: `length.body`",
    kind: "limit",
    value: 20_000,
    unit: "characters",
    documented: ["README.md", "more than about 5,000 tokens (20,000 characters)"],
    source: ["src/rules/length.ts", "MAX_CHARACTERS = 20_000"],
    probe: (value) => {
      expect(codesOf(`${SKILL}${"x".repeat(value)}`)).not.toContain("length.body");
      expect(codesOf(`${SKILL}${"x".repeat(value + 1)}`)).toContain("length.body");
    },
  },
  {
    option: "`lintSkill`: `length.lines`",
    kind: "limit",
    value: 500,
    unit: "lines",
    documented: ["README.md", "SKILL.md of more than 500 lines"],
    source: ["src/rules/length.ts", "MAX_LINES = 500"],
    probe: (value) => {
      const text = (lines: number) =>
        `${SKILL}${Array(lines - 4)
          .fill("x")
          .join("\n")}`;
      expect(codesOf(text(value))).not.toContain("length.lines");
      expect(codesOf(text(value + 1))).toContain("length.lines");
    },
  },
]);

function codesOf(content: string): readonly string[] {
  return lintSkill({ directoryName: "one", files: [{ path: "SKILL.md", content }] }).map(({ code }) => code);
}
