import type { WorkspaceRunResult } from "@skillwright/core";
import type { DeclaredNeeds } from "./declared-needs.js";
import type { FoundNeeds } from "./needs-problem.js";

/** A valid program name that needs no quotes; other names are never found. */
const PROGRAM = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const END = "end of look";

/** Creates one shell command that checks everything at once, so that it costs a single run. */
export function lookCommand({ programs, anyProgram, variables }: DeclaredNeeds): string {
  return [
    "uname -s",
    ...[...programs, ...anyProgram]
      .filter((name) => PROGRAM.test(name))
      .map((name) => `command -v ${name} >/dev/null 2>&1 && echo program ${name}`),
    ...variables
      .filter((name) => VARIABLE.test(name))
      .map((name) => `[ -n "\${${name}-}" ] && echo variable ${name}`),
    `echo ${END}`,
  ].join("\n");
}

/** Returns `undefined` where the check itself did not finish. */
export function readLook({ stdout }: Pick<WorkspaceRunResult, "stdout">): FoundNeeds | undefined {
  const [name = "", ...lines] = stdout.text.trimEnd().split("\n");
  if (lines.at(-1) !== END) return undefined;
  const named = (kind: string) =>
    new Set(lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1)));
  return { system: system(name), programs: named("program"), variables: named("variable") };
}

function system(name: string): string {
  return /^(mingw|msys|cygwin)/i.test(name) ? "win32" : name.toLowerCase();
}
