import { basename, isAbsolute } from "node:path";
import type { PolicyLists } from "./policy-lists.js";
import { preview } from "./policy-summary.js";
import { isOneProgram, type ProgramFiles } from "./program-files.js";
import type { RefusedSyntax } from "./refused-syntax.js";
import { isBuiltin, type ProgramRisk, programRisk } from "./risky-programs.js";

/** Returns why the segment's program may not run; `undefined` where it may. Deny takes precedence. */
export type ProgramJudge = (words: readonly [string, ...string[]]) => Promise<RefusedSyntax | undefined>;

export function programJudge({ allowed, denied }: PolicyLists, files: ProgramFiles): ProgramJudge {
  const deniedNames = new Set(denied.map(folded));

  return async ([program, ...args]) => {
    const shown = JSON.stringify(program);
    if (await isDenied(program))
      return { reason: `${shown} is on the list of denied programs.`, hint: allowedHint() };
    const listed = allowed?.includes(program) === true;
    const risk = await riskOf(program, args);
    if (risk && (!listed || risk.always))
      return { reason: `${shown} ${risk.why}, so it is refused.`, hint: risk.hint ?? allowedHint() };
    if (!allowed || listed || (await isAllowedFile(program))) return undefined;
    return { reason: `${shown} is not on the list of allowed programs.`, hint: pathHint(program) };
  };

  /** Matches the word, its last part and the file, in any spelling. */
  async function isDenied(program: string): Promise<boolean> {
    if (deniedNames.has(folded(program)) || deniedNames.has(folded(basename(program)))) return true;
    if (denied.length === 0 || isBuiltin(program)) return false;
    const file = await files.real(program);
    if (!isOneProgram(file)) return false;
    for (const entry of denied) if ((await files.real(entry)) === file) return true;
    return false;
  }

  /** Also checks the name of the file, so that another name for a shell counts as a shell. */
  async function riskOf(program: string, args: readonly string[]): Promise<ProgramRisk | undefined> {
    const risk = programRisk(folded(basename(program)), args);
    if (risk || isBuiltin(program)) return risk;
    const file = await files.real(program);
    return isOneProgram(file) ? programRisk(folded(basename(file)), args) : undefined;
  }

  /**
   * True for an absolute path in a system directory that is the file of an allowed bare name. Bash builtins
   * have no file.
   */
  async function isAllowedFile(program: string): Promise<boolean> {
    const name = basename(program);
    if (!isAbsolute(program) || !files.inPath(program) || !allowed?.includes(name) || isBuiltin(name))
      return false;
    const file = await files.real(program);
    return file !== undefined && file === (await files.real(name));
  }

  function allowedHint(): string {
    return allowed ? `Allowed programs: ${preview(allowed)}.` : "Use other programs.";
  }

  function pathHint(program: string): string {
    const name = basename(program);
    return allowed?.includes(name)
      ? `${JSON.stringify(name)} is allowed, but only by that name.`
      : allowedHint();
  }
}

function folded(name: string): string {
  return name.toLowerCase();
}
