import type { CallOptions } from "@skillwright/core";
import { policyLists } from "./policy-lists.js";
import { policySummary } from "./policy-summary.js";
import { programFiles, SYSTEM_PATH } from "./program-files.js";
import { type ProgramJudge, programJudge } from "./program-judge.js";
import type { CommandSegment } from "./read-command.js";
import type { RefusedSyntax } from "./refused-syntax.js";
import { startedBy } from "./started-program.js";

export interface CommandQuestion {
  readonly command: string;
  readonly skill?: string;
  /**
   * As the call gives it: relative to the skill's directory, or to the workspace's root where there is no skill; empty
   * for that directory itself.
   */
  readonly cwd: string;
}

export type CommandVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly hint: string };

/** Decides on a command before anything is staged for it. */
export interface CommandPolicy {
  (question: CommandQuestion, options?: CallOptions): Promise<CommandVerdict>;
  /**
   * Describes to the model, in a sentence or two, what may run. Included in the descriptions of the tools that run
   * commands.
   */
  readonly summary?: string | undefined;
}

export interface CommandPolicyOptions {
  /**
   * The only programs that may run, as the command writes them: `python3`, `./run.sh`. A bare name also allows the same
   * file by its absolute path; a bash builtin, such as `echo`, has no file.
   */
  readonly allowed?: readonly string[] | undefined;
  /**
   * Programs that may not run, even if `allowed` lists them: matched by name in any directory and spelling, and by the
   * file that a name or absolute path resolves to.
   */
  readonly denied?: readonly string[] | undefined;
  /** Where bare names are looked up on this machine. Defaults to the base PATH of the local runtime. */
  readonly path?: string | undefined;
}

/** Maximum depth of programs that start one another, as in `env sh -c "..."`. */
const MAX_DEPTH = 4;

/**
 * A policy that parses the command like bash and checks each program in it. A command may consist of literal words,
 * quotes, `|`, `&&`, `||` and `;`; anything else is refused by name, as are more than 16 KiB and more than 32 programs.
 * Programs that start others or change the meaning of names (`sh`, `env`, `xargs`, `eval`, `alias`, ...) are refused
 * unless `allowed` has them exactly as written, and then what they start is checked too.
 *
 * It does not see what an allowed program does with its arguments and files (`find -exec`, `awk`, `python3 script.py`);
 * a sandbox limits that.
 * @throws SkillError `CONFIG_INVALID` where neither list is given, and for an entry that is not a single program. An
 * entry with blanks must be the absolute path of a file on this machine.
 */
export function commandPolicy(options: CommandPolicyOptions): CommandPolicy {
  const { path = SYSTEM_PATH } = options;
  const lists = policyLists(options);

  async function policy({ command }: Pick<CommandQuestion, "command">): Promise<CommandVerdict> {
    const problem = await commandProblem(command, programJudge(lists, programFiles(path)), 1);
    return problem ? { allowed: false, ...problem } : { allowed: true };
  }

  return Object.assign(policy, { summary: policySummary(lists) });
}

async function commandProblem(
  command: string,
  judge: ProgramJudge,
  depth: number,
): Promise<RefusedSyntax | undefined> {
  // Imported with the first command: the parser of bash takes as long to load as a quarter of this package.
  const { readCommand } = await import("./read-command.js");
  const reading = readCommand(command);
  if ("reason" in reading) return reading;
  for (const { words } of reading.segments) {
    const problem = await wordsProblem(words, judge, depth);
    if (problem) return problem;
  }
  return undefined;
}

async function wordsProblem(
  words: CommandSegment["words"],
  judge: ProgramJudge,
  depth: number,
): Promise<RefusedSyntax | undefined> {
  if (depth > MAX_DEPTH) return tooDeep();
  const problem = await judge(words);
  if (problem) return problem;
  const started = startedBy(words);
  if ("reason" in started) return started;
  if (started.command !== undefined) return await commandProblem(started.command, judge, depth + 1);
  return started.words && (await wordsProblem(started.words, judge, depth + 1));
}

function tooDeep(): RefusedSyntax {
  return {
    reason: `More than ${MAX_DEPTH} programs in the command start each other.`,
    hint: "Run the last one directly.",
  };
}
