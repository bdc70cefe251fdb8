import { basename } from "node:path";
import type { RefusedSyntax } from "./refused-syntax.js";
import { SHELLS } from "./risky-programs.js";

/** What a program starts through its arguments: shell text or another program; neither where it starts nothing. */
export interface StartedProgram {
  readonly command?: string;
  readonly words?: readonly [string, ...string[]];
}

/** Programs that run the words after them; `timeout` takes a duration first. */
const STARTERS = new Set(
  "exec command builtin env xargs nohup timeout gtimeout time gtime nice ionice setsid sudo doas busybox toybox".split(
    " ",
  ),
);

/**
 * For a program that is allowed. Options of a starter are refused, since some of them start programs as well and others
 * take values: a starter must be followed by the program itself, a shell by `-c` and text or by a script.
 */
export function startedBy([program, ...args]: readonly [string, ...string[]]):
  | StartedProgram
  | RefusedSyntax {
  const name = basename(program).toLowerCase();
  if (name === "eval") return { command: args.join(" ") };
  if (SHELLS.has(name) || name === "source" || name === ".") return startedByShell(program, args);
  if (!STARTERS.has(name)) return {};
  const timed = name.endsWith("timeout") && /^\d+(\.\d+)?[smhd]?$/.test(args[0] ?? "");
  const [next, ...rest] = timed ? args.slice(1) : args;
  if (next === undefined) return {};
  if (/^[-+]|=/.test(next)) return notPlain(program, next);
  return { words: [next, ...rest] };
}

function startedByShell(program: string, [first, second]: readonly string[]): StartedProgram | RefusedSyntax {
  if (first === "-c" && second !== undefined) return { command: second };
  if (first === undefined || /^[-+]|^\/(dev|proc)\//.test(first)) return notPlain(program, first);
  return {};
}

function notPlain(program: string, word: string | undefined): RefusedSyntax {
  const shown = word === undefined ? "nothing" : JSON.stringify(word);
  return {
    reason: `${JSON.stringify(program)} is followed by ${shown}, so the program that it runs cannot be determined.`,
    hint: `Let the program follow ${JSON.stringify(program)} directly; give a shell -c and a text, or a script.`,
  };
}
