import { shownLine } from "@skillwright/core/adapter";
import type { StoredEnvironment } from "@skillwright/workspace";
import { counted, formatBytes } from "../terminal/amounts.js";
import type { Style } from "../terminal/style.js";
import type { NamedProgram, NeededPackages, SkillNeeds, UnpreparedFile } from "./skill-needs.js";

/** The packages of each file, and whether they are prepared. */
export function neededText(needs: readonly NeededPackages[], style: Style): readonly string[] {
  return needs.flatMap(({ declaredIn, packages, prepared }) => [
    `  ${shownLine(declaredIn)}  ${state(prepared, style)}`,
    ...packages.map(({ name, version }) => `    ${shownLine(name)} ${style.dim(shownLine(version))}`),
  ]);
}

/** Everything that a skill needs, each with its state and remedy. */
export function needsText({ packages, unprepared, named }: SkillNeeds, style: Style): readonly string[] {
  return [
    ...neededText(packages, style),
    ...unprepared.flatMap((file) => unpreparedLines(file, style)),
    ...named.flatMap((one) => namedLines(one, style)),
  ];
}

/** The same, a line for each file or name. */
export function shortNeedsText({ packages, unprepared, named }: SkillNeeds, style: Style): readonly string[] {
  return [
    ...packages.map(
      ({ declaredIn, packages, prepared }) =>
        `  ${shownLine(declaredIn)}  ${counted(packages.length, "package")}, ${state(prepared, style)}`,
    ),
    ...unprepared.flatMap((file) => unpreparedLines(file, style)),
    ...named.flatMap((one) => namedLines(one, style)),
  ];
}

/** One line for each prepared environment. */
export function storedText(stored: readonly StoredEnvironment[], style: Style): readonly string[] {
  const lines = stored.map(
    ({ key, skill, kind, declaredIn, packages, bytes, lastUsedAt }) =>
      `${key.slice(0, 12)}  ${shownLine(skill)}  ${kind}, ${counted(packages.length, "package")} of ${shownLine(declaredIn)}, ` +
      `${formatBytes(bytes)}, ${style.dim(`last used ${lastUsedAt}`)}`,
  );
  const total = stored.reduce((sum, { bytes }) => sum + bytes, 0);
  return [...lines, `${counted(stored.length, "environment")}, ${formatBytes(total)}`];
}

function state(prepared: boolean, style: Style): string {
  return prepared ? style.green("prepared") : style.yellow("not prepared on this machine");
}

function unpreparedLines({ path = "", why, remedy }: UnpreparedFile, style: Style): readonly string[] {
  return [
    `  ${shownLine(path)}  ${style.yellow("cannot be prepared")}`,
    `    ${shownLine(why)}`,
    `    ${style.dim(shownLine(remedy))}`,
  ];
}

function namedLines(
  { kind, name, declaredIn, present, remedy }: NamedProgram,
  style: Style,
): readonly string[] {
  const there =
    present === undefined ? "" : present ? style.green(", found here") : style.yellow(", not found here");
  const line = `  ${shownLine(name)}  ${kind} of ${declaredIn}, named, not locked${there}`;
  return present === true ? [line] : [line, `    ${style.dim(shownLine(remedy))}`];
}
