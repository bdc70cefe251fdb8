import { readFileSync, writeFileSync } from "node:fs";
import { cacheDirectory } from "../scripts/bootstrap/root.mjs";

/** Names the test files that need not run again with everything installed. */
export const finishedFile = `${cacheDirectory}/finished-on-bare-machine.json`;

/** Their tests start no sandbox and no server, so that they do the same whatever is installed. */
const independent =
  /^(packages\/(archive|config|contracts|core|injector|lint|repository-(fs|http|memory)|skillbox)|test\/(repository|skills|spans))\//;

/** Writes that file after all tests ran on the bare machine. @param {string} clone where they ran */
export function writeFinishedFile(clone) {
  const whole = JSON.parse(readFileSync(`${clone}/.cache/whole-files.json`, "utf8"));
  writeFileSync(
    finishedFile,
    JSON.stringify(whole.filter((/** @type {string} */ file) => independent.test(file))),
  );
}
