import { isContainedPath, SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import type { BootstrapStep } from "./bootstrap-step.js";

/** @throws SkillError `CONFIG_INVALID` naming the step, if no workspace could apply it. */
export function checkSteps(steps: readonly BootstrapStep[], allowNetwork: boolean): void {
  if (!Array.isArray(steps)) throw invalid("The bootstrap steps are not an array. Give an array of steps.");
  const names = new Set<string>();
  const cached: string[] = [];
  for (const step of steps) {
    checkName(step.name, names);
    const wrong = (problem: string) => invalid(`The bootstrap step ${JSON.stringify(step.name)} ${problem}`);
    const { files = [], commands = [], cache = [], timeoutMs = 1, network } = step;
    for (const { path } of files)
      if (!isBelowWork(path))
        throw wrong(`has the file ${shown(path)}. Give a path such as work/package.json.`);
    for (const command of commands)
      if (typeof command !== "string" || command.trim() === "" || command.includes("\0"))
        throw wrong("has a command that is blank or not a valid text for a shell. Correct or remove it.");
    if (!(timeoutMs > 0))
      throw wrong("has a timeout that is not a positive number of milliseconds. Correct it.");
    if (network === true && !allowNetwork)
      throw wrong(
        "requests network access, which is not allowed. Set `allowNetwork` in the options of workspaceManager, or change the step.",
      );
    for (const path of cache) {
      if (!isBelowWork(path) || overlap(path, WORKSPACE_LAYOUT.inputs))
        throw wrong(`cannot cache ${shown(path)}. Give a directory such as work/node_modules.`);
      const other = cached.find((directory) => overlap(path, directory));
      if (other !== undefined)
        throw wrong(
          `caches ${shown(path)}, which overlaps with the cached ${shown(other)}. Combine both in one step.`,
        );
      cached.push(path);
    }
  }
}

/** True where one path equals the other or lies below it. */
export function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function checkName(name: string, names: Set<string>): void {
  if (typeof name !== "string" || name.trim() === "" || name.length > 128)
    throw invalid("A bootstrap step has no valid name. Give it a name of 1 to 128 characters.");
  if (names.has(name))
    throw invalid(`Two bootstrap steps are called ${JSON.stringify(name)}. Rename one of them.`);
  names.add(name);
}

function isBelowWork(path: string): boolean {
  return typeof path === "string" && isContainedPath(path) && path.startsWith(`${WORKSPACE_LAYOUT.work}/`);
}

function shown(path: unknown): string {
  return JSON.stringify(String(path).slice(0, 200));
}

function invalid(message: string): SkillError {
  return new SkillError("CONFIG_INVALID", message);
}
