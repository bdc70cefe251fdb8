import type { LockedSkill, LockFile } from "@skillwright/config";
import type { Diagnostic } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { counted } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { shownPath } from "../terminal/shown-path.js";

export interface LockChange {
  readonly path: string;
  readonly before: LockFile;
  readonly after: LockFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** A line for each skill that was added, removed or changed, then a summary of the file. */
export function lockText(change: LockChange, { cwd, style }: CliContext): readonly string[] {
  const { before, after, path, diagnostics } = change;
  const names = [...new Set([...Object.keys(before.skills), ...Object.keys(after.skills)])].sort();
  const lines = names.flatMap((name) => {
    const line = changeLine(before.skills[name], after.skills[name]);
    return line === undefined ? [] : [`${markOf(line, style)} ${style.bold(name)}  ${line.text}`];
  });
  const total = counted(Object.keys(after.skills).length, "skill");
  return [
    ...lines,
    ...diagnostics.flatMap((found) => diagnosticLines(found, style)),
    `${lines.length === 0 ? "Nothing changed: " : ""}${shownLine(shownPath(path, cwd))} contains ${total}.`,
  ];
}

interface ChangeLine {
  readonly mark: "+" | "-" | "~";
  readonly text: string;
}

function changeLine(before: LockedSkill | undefined, after: LockedSkill | undefined): ChangeLine | undefined {
  if (!after) return { mark: "-", text: "no longer locked" };
  const place = `${shownLine(after.source)}  ${stateOf(after)}`;
  if (!before) return { mark: "+", text: place };
  if (before.digest === after.digest && before.source === after.source && before.version === after.version)
    return undefined;
  return { mark: "~", text: `${stateOf(before)} → ${place}` };
}

function markOf({ mark }: ChangeLine, style: CliContext["style"]): string {
  if (mark === "+") return style.green(mark);
  return mark === "-" ? style.red(mark) : style.yellow(mark);
}

/** `version 3, sha256:0a1b2c3d4e5f`; a commit is shortened to twelve digits. */
export function stateOf({ version, digest }: Pick<LockedSkill, "version" | "digest">): string {
  const short = digest.slice(0, "sha256:".length + 12);
  if (version === undefined) return short;
  return /^[0-9a-f]{40,}$/.test(version)
    ? `commit ${version.slice(0, 12)}, ${short}`
    : `version ${version}, ${short}`;
}
