import { readdirSync } from "node:fs";
import { root } from "../bootstrap/root.mjs";

/**
 * The lanes of the tests. A lane runs some projects of Vitest, and is a task of turbo in every package that has test files of these
 * projects. `ofRoot` names the tasks for test files that belong to no package.
 *
 * @type {Record<string, { projects: string[], ofRoot?: string[] }>}
 */
export const lanes = {
  test: { projects: ["code", "shared"], ofRoot: ["test:repository"] },
  "test:large": { projects: ["large"] },
  "test:gate": { projects: ["gate"], ofRoot: ["test:gate", "test:kept"] },
  "test:browser": { projects: ["browser"] },
  "test:stores": { projects: ["stores"] },
  "test:engines": { projects: ["engines"] },
  "test:kubernetes": { projects: ["kubernetes"] },
  "test:emulated": { projects: ["emulated"] },
  "test:soaks": { projects: ["soaks"], ofRoot: ["test:soaks"] },
};

/** @typedef {{ directory: string, task: string }} Place of a task: its package's directory, relative to the root and empty for the root, and its name. */

/** Tasks of the root whose test files are in a folder of the same name. */
const OWN_FOLDERS = ["test:gate", "test:kept", "test:soaks"];

/** The lane that a task belongs to. @param {Pick<Place, "task">} place */
export function laneOf({ task }) {
  return Object.values(lanes).find(({ ofRoot = [] }) => ofRoot.includes(task)) ?? lanes[task];
}

/** The folders with the test files of a task, relative to the root, each with a slash at its end. @param {Place} place */
export function testFolders({ directory, task }) {
  if (directory !== "") return [`${directory}/test/`];
  if (OWN_FOLDERS.includes(task)) return [`test/${task.slice("test:".length)}/`];
  return readdirSync(`${root}/test`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OWN_FOLDERS.includes(`test:${entry.name}`))
    .map(({ name }) => `test/${name}/`);
}

/** Where a task leaves its results: what turbo keeps. @param {Place} place */
export function resultsFile({ directory, task }) {
  return `${root}/${directory ? `${directory}/` : ""}.cache/tests/${task.replace(":", "-")}.json`;
}
