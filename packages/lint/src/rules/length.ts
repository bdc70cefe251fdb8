import type { CheckedRule } from "../lint-rule.js";

const MAX_LINES = 500;
const MAX_CHARACTERS = 20_000;
const help = "Move details into files in references/, and say in SKILL.md when to read each of them.";

/** The standard's advice on how much a model should have to read at once. */
export const length: readonly CheckedRule[] = [
  {
    id: "length.lines",
    severity: "info",
    title: `SKILL.md of more than ${MAX_LINES} lines`,
    help,
    *check({ skillText }) {
      if (!skillText) return;
      const { lineCount, path } = skillText;
      const lines = skillText.line(lineCount) === "" ? lineCount - 1 : lineCount;
      if (lines > MAX_LINES)
        yield { message: `SKILL.md has ${lines} lines; the standard advises at most ${MAX_LINES}.`, path };
    },
  },
  {
    id: "length.body",
    severity: "info",
    title: "Instructions of more than about 5,000 tokens (20,000 characters)",
    help,
    *check({ body, skillText }) {
      if (!skillText || body.length <= MAX_CHARACTERS) return;
      const tokens = Math.round(body.length / 4000) * 1000;
      const message = `The instructions have ${body.length} characters, about ${tokens} tokens; the standard advises at most 5000.`;
      yield { message, path: skillText.path };
    },
  },
];
