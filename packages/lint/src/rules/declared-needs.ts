import { isCode } from "../file-kind.js";
import { PROGRAMS, STANDARD_VARIABLES } from "../known-programs.js";
import type { CheckedRule, LintHit } from "../lint-rule.js";
import type { LintSubject } from "../lint-subject.js";
import type { LintedText } from "../linted-text.js";

/** SEC-19: programs or variables that a script needs and SKILL.md does not mention. */
export const declaredNeeds: CheckedRule = {
  id: "SEC-19",
  severity: "info",
  title: "Environment variable or program that a script uses and SKILL.md does not name",
  help: "Name it under `compatibility` or in the text, so that users can provide it or decide against the skill.",
  *check(subject) {
    const { skillText, skill, texts } = subject;
    if (!skillText) return;
    const declared = declaredText(subject);
    const scripts = new Set(skill.files.filter(isCode).map(({ path }) => path));
    const told = new Set<string>();
    for (const file of texts) {
      if (!scripts.has(file.path) || file === skillText) continue;
      for (const { name, what, offset } of needs(file)) {
        if (told.has(name) || declared.has(name.toLowerCase())) continue;
        told.add(name);
        yield {
          ...placeOf(file, offset),
          message: `The script uses ${what} ${name}, which SKILL.md does not name.`,
        };
      }
    }
  },
};

/** Every word of SKILL.md: mentioned counts as declared. */
function declaredText({ skillText, fields: { openclaw } }: LintSubject): ReadonlySet<string> {
  const words = skillText?.lower.match(/[\w.-]{1,100}/g) ?? [];
  const variables = openclaw?.envVars.map(({ name }) => name) ?? [];
  const named = [
    ...(openclaw?.bins ?? []),
    ...(openclaw?.anyBins ?? []),
    ...(openclaw?.env ?? []),
    ...variables,
  ];
  const all = [
    ...words,
    ...words.map((word) => word.replace(/^[.-]+|[.-]+$/g, "")),
    ...named.map((name) => name.toLowerCase()),
  ];
  return new Set(all);
}

interface Need {
  readonly name: string;
  readonly what: "the environment variable" | "the program";
  readonly offset: number;
}

const VARIABLE =
  /(?:\bprocess\.env\.|\bprocess\.env\[["']|\bos\.environ(?:\.get)?[[(]\s{0,2}["']|\bos\.getenv\(\s{0,2}["']|\bENV\[["']|\bgetenv\(["'])([A-Z][A-Z0-9_]{2,60})\b/g;
const COMMAND =
  /(?:^|[|;&(]|\$\(|`|\bsudo|\bthen|\bdo|\belse)[ \t]{0,8}([a-z][a-z0-9-]{1,20})(?=[ \t]+[-\w"'$/.{<])/gm;
const SPAWNED =
  /\b(?:spawn|execFile|execa|run|check_call|check_output|Popen|call)(?:Sync)?\(\s{0,8}\[?\s{0,8}["'`]([a-z][a-z0-9-]{1,20})["'`]/g;

function* needs(file: LintedText): Generator<Need, void, undefined> {
  for (const { 1: name = "", index } of file.text.matchAll(VARIABLE))
    if (!STANDARD_VARIABLES.has(name)) yield { name, what: "the environment variable", offset: index };
  const isShell = /\.(?:sh|bash|zsh)$/.test(file.path) || /^#!.{0,40}\b(?:ba|z)?sh\b/.test(file.text);
  for (const { 1: name = "", index } of file.text.matchAll(isShell ? COMMAND : SPAWNED))
    if (PROGRAMS.has(name)) yield { name, what: "the program", offset: index };
}

function placeOf(file: LintedText, offset: number): Pick<LintHit, "path"> & { line: number; column: number } {
  // The match may begin with the previous line's end.
  const at = offset + (/^\s*/.exec(file.text.slice(offset, offset + 20))?.[0].length ?? 0);
  const line = file.lineAt(at);
  return { path: file.path, line, column: at - file.lineStart(line) + 1 };
}
