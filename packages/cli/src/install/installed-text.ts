import type { InstallResult } from "@skillwright/config";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import type { NotLocked } from "../lock/lock-each.js";
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
      return error ? [failedLine({ name, error }, style)] : [];
    default:
      return [`${style.green("✔")} ${style.bold(name)}  ${state}, ${stateOf(entry)}`];
  }
}

/** The line for a skill that could not be installed or locked. */
export function failedLine({ name, error }: NotLocked, style: Style): string {
  return `${style.red("✘")} ${style.bold(shownLine(name))}  ${shownLine(error.message)} ${style.dim(error.code)}`;
}

/** `2 skills installed, 1 replaced, 5 unchanged, 1 failed (.skillwright/skills)`. */
export function installedTotals(
  results: readonly InstallResult[],
  notLocked: readonly NotLocked[],
  directory: string,
  { cwd }: CliContext,
): string {
  const of = (state: InstallResult["state"]) =>
    results.filter((result) => result.state === state).length + (state === "failed" ? notLocked.length : 0);
  const parts = [
    `${counted(of("installed"), "skill")} installed`,
    ...(["replaced", "unchanged", "failed"] as const)
      .filter((state) => of(state) > 0)
      .map((state) => `${of(state)} ${state}`),
  ];
  return `${parts.join(", ")} (${shownLine(shownPath(directory, cwd))})`;
}

/** The results as data for programs. */
export function installedJson(
  results: readonly InstallResult[],
  notLocked: readonly NotLocked[],
): readonly unknown[] {
  return [
    ...results.map(({ name, entry, state, error }) => ({
      name,
      state,
      ...entry,
      ...(error && { error: errorJson(error) }),
    })),
    ...failedJson(notLocked),
  ];
}

/** Skills that could not be locked, as data for programs. */
export function failedJson(notLocked: readonly NotLocked[]): readonly unknown[] {
  return notLocked.map(({ name, error }) => ({ name, state: "failed", error: errorJson(error) }));
}

function errorJson({ code, message }: NotLocked["error"]) {
  return { code, message };
}
