import { shownLine } from "@skillwright/core/adapter";
import type { StoredEnvironment } from "@skillwright/workspace";
import { counted, formatBytes } from "../terminal/amounts.js";
import type { Style } from "../terminal/style.js";
import type { NeededPackages } from "./needed-packages.js";

/** The packages of each file, and whether they are prepared. */
export function neededText(needs: readonly NeededPackages[], style: Style): readonly string[] {
  return needs.flatMap(({ declaredIn, packages, prepared }) => [
    `  ${shownLine(declaredIn)}  ${prepared ? style.green("prepared") : style.yellow("not prepared on this machine")}`,
    ...packages.map(({ name, version }) => `    ${shownLine(name)} ${style.dim(shownLine(version))}`),
  ]);
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
