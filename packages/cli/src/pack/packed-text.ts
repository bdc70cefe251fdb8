import { manifestSize, shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { counted, formatBytes } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { shownPath } from "../terminal/shown-path.js";
import type { PackedSkill } from "./pack-skill.js";

const MAX_NAMED = 5;

/** What was created, and what is not in it. */
export function packedText(packed: PackedSkill, { cwd, style }: CliContext): readonly string[] {
  const { file, bytes, files, digest, leftOut, diagnostics } = packed;
  const unpacked = formatBytes(manifestSize({ formatVersion: 1, files }));
  const content = `${formatBytes(bytes)}, ${counted(files.length, "file")} of ${unpacked}`;
  return [
    `${style.green("✔")} ${style.bold(shownLine(shownPath(file, cwd)))}  ${content}`,
    `  ${style.dim(digest)}`,
    ...(leftOut.length > 0 ? [`  left out ${named(leftOut)}`] : []),
    ...diagnostics.flatMap((found) => diagnosticLines(found, style)),
  ];
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).map(shownLine).join(", ");
  const rest = paths.length - MAX_NAMED;
  return rest > 0 ? `${shown} and ${rest.toLocaleString("en")} more` : shown;
}
