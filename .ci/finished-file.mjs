import { rmSync, writeFileSync } from "node:fs";
import { cacheDirectory } from "../scripts/bootstrap/root.mjs";

/** The results of the test files that need not run again with everything installed. */
const finishedFile = `${cacheDirectory}/finished-on-bare-machine.json`;
let isWritten = false;

/**
 * Notes the files that passed on the bare machine and of which nothing was left out.
 *
 * @param {import("../test/needs/results-reporter.js").RunResults} results
 */
export function noteFinished({ files }) {
  rmSync(finishedFile, { force: true });
  writeFileSync(finishedFile, JSON.stringify(files.filter(({ isWhole }) => isWhole)));
  isWritten = true;
}

/** @returns {NodeJS.ProcessEnv} for the stages after it */
export function withoutFinished() {
  return isWritten ? { SKILLWRIGHT_FINISHED: finishedFile } : {};
}
