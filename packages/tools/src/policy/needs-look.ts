import type { WorkspaceRunResult } from "@skillwright/core";
import type { DeclaredNeeds } from "./declared-needs.js";
import type { FoundNeeds } from "./needs-problem.js";

/** A name that can be a program's and needs no quotes; others are never found. */
const PROGRAM = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const END = "end of look";

/** One command for the shell that looks for everything at once, so that it costs one run. */
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

/** `undefined` where the look itself did not come to its end. */
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
