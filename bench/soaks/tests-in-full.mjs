import { execFileSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/** `npm test` runs the short form of these tests itself. */
export const isTested = true;

/** Runs every test that has a full form in that form: properties with all of their cases, kills before every call. */
export async function soak({ seed, tell }) {
  const listed = execFileSync("git", ["grep", "-l", "full-form.js", "--", "packages", "apps"], {
    cwd: root,
    encoding: "utf8",
  });
  const files = [...new Set(listed.trim().split("\n").map(testsOf))];
  const env = { ...process.env, SKILLWRIGHT_FULL: "1", SKILLWRIGHT_SEED: String(seed) };
  const args = [
    `${root}/node_modules/vitest/vitest.mjs`,
    "run",
    ...["code", "shared", "large", "stores"].map((project) => `--project=${project}`),
    "--testTimeout=3600000",
    ...files,
  ];
  const { output } = await runCommand(process.execPath, args, {
    cwd: root,
    env,
    show: (text) => tell(text.trimEnd()),
  });
  const [, tests] = stripVTControlCharacters(output).match(/^\s*Tests\s+(\d+ passed) \(/m) ?? [];
  if (tests === undefined) throw new Error("Vitest did not print how many tests passed.");
  return `${tests}, in ${files.length} places`;
}

/** Files that tests share are used by all tests of their directory. */
function testsOf(/** @type {string} */ file) {
  return file.endsWith(".test.ts") ? file : file.replace(/[^/]+$/, "");
}
