import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { shellWord } from "../run/shell-command.js";
import { shownPath } from "../terminal/shown-path.js";
import type { MadeSkill } from "./make-skill.js";

/** What was created, and the next steps. */
export function madeText(
  { directory, files }: MadeSkill,
  hasDescription: boolean,
  { cwd, style }: CliContext,
): readonly string[] {
  const path = shownLine(shownPath(directory, cwd));
  const word = shownLine(shellWord(shownPath(directory, cwd)));
  const hasScript = files.includes("scripts/example.mjs");
  return [
    `${style.green("✔")} ${style.bold(path)}`,
    ...files.map((file) => `    ${file}`),
    "",
    "Next",
    ...(hasDescription
      ? []
      : ["  Write the description in SKILL.md: what the skill does and when to use it."]),
    "  Write the steps below it as you would tell them to somebody new.",
    ...(hasScript ? [`  ${style.cyan(`skillwright run ${word} -- node scripts/example.mjs --help`)}`] : []),
    `  ${style.cyan(`skillwright validate ${word} --profile portable`)}`,
    `  ${style.cyan(`skillwright pack ${word}`)}`,
  ];
}
