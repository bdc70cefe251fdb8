import type { UnpackedSkill } from "@skillwright/archive";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { counted, formatBytes } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { shownPath } from "../terminal/shown-path.js";

/** What was unpacked and where, what was left out, and what to do before using it. */
export function unpackedText(
  { name, directory, files, diagnostics }: UnpackedSkill,
  digest: string,
  { cwd, style }: CliContext,
): readonly string[] {
  const path = shownLine(shownPath(directory, cwd));
  const bytes = formatBytes(files.reduce((sum, { size }) => sum + size, 0));
  return [
    `${style.green("✔")} ${style.bold(shownLine(name))}  ${path}, ${counted(files.length, "file")}, ${bytes}`,
    `  ${style.dim(digest)}`,
    ...diagnostics.flatMap((found) => diagnosticLines(found, style)),
    `  Before it is used: ${style.cyan(`skillwright validate ${path}`)}`,
  ];
}
