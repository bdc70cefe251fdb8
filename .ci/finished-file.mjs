import { rmSync, writeFileSync } from "node:fs";
import { cacheDirectory } from "../scripts/bootstrap/root.mjs";

/** Names the test files that need not run again with everything installed. */
const finishedFile = `${cacheDirectory}/finished-on-bare-machine.json`;
let isWritten = false;

/** Their tests start no sandbox and no server, so that they do the same whatever is installed. */
const independent =
  /^(packages\/(archive|config|contracts|core|injector|lint|repository-(fs|http|memory)|skillbox)|test\/(repository|skills|spans))\//;

/** To be called after all tests passed on the bare machine. @param {import("../test/needs/results-reporter.js").RunResults} results */
export function noteFinished({ files }) {
  rmSync(finishedFile, { force: true });
  const whole = files.filter(({ isWhole, file }) => isWhole && independent.test(file));
  writeFileSync(finishedFile, JSON.stringify(whole.map(({ file }) => file)));
  isWritten = true;
}

/** @returns {NodeJS.ProcessEnv} for the stages after it */
export function withoutFinished() {
  return isWritten ? { SKILLWRIGHT_FINISHED: finishedFile } : {};
}
