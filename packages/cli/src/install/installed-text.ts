import type { InstallResult } from "@skillwright/config";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { stateOf } from "../lock/lock-text.js";
import { counted } from "../terminal/amounts.js";
import { shownPath } from "../terminal/shown-path.js";

type Style = CliContext["style"];

/** The result for one skill; nothing for an unchanged one. */
export function installedLine({ name, entry, state, error }: InstallResult, style: Style): readonly string[] {
  switch (state) {
    case "unchanged":
      return [];
    case "failed":
      return [
        `${style.red("✘")} ${style.bold(name)}  ${shownLine(error?.message ?? "")} ${style.dim(error?.code ?? "")}`,
      ];
    default:
      return [`${style.green("✔")} ${style.bold(name)}  ${state}, ${stateOf(entry)}`];
  }
}

/** `2 skills installed, 1 replaced, 5 unchanged, 1 failed (.skillwright/skills)`. */
export function installedTotals(
  results: readonly InstallResult[],
  directory: string,
  { cwd }: CliContext,
): string {
  const of = (state: InstallResult["state"]) => results.filter((result) => result.state === state).length;
  const parts = [
    `${counted(of("installed"), "skill")} installed`,
    ...(["replaced", "unchanged", "failed"] as const)
      .filter((state) => of(state) > 0)
      .map((state) => `${of(state)} ${state}`),
  ];
  return `${parts.join(", ")} (${shownLine(shownPath(directory, cwd))})`;
}

/** The results as data for programs. */
export function installedJson(results: readonly InstallResult[]): readonly unknown[] {
  return results.map(({ name, entry, state, error }) => ({
    name,
    state,
    ...entry,
    ...(error && { error: { code: error.code, message: error.message } }),
  }));
}
