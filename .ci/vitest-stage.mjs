import { existsSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { cacheDirectory, root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * A stage that runs `npm test` for some projects, counted from its JSON report. A skipped or todo test
 * counts as failed, as does a file that could not be loaded or an error outside of any test.
 *
 * @param {string[]} projects of Vitest
 * @param {string} [finished] A file, which may be absent, that names test files to omit.
 */
export function vitestStage(projects, finished) {
  const resultsFile = `${cacheDirectory}/vitest-results-${projects.join("-")}.json`;
  const args = ["test", "--", ...projects.map((project) => `--project=${project}`)];
  return async (/** @type {(text: string) => void} */ show) => {
    rmSync(resultsFile, { force: true });
    const env =
      finished && existsSync(finished) ? { ...process.env, SKILLWRIGHT_FINISHED: finished } : process.env;
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];
    const failure = await runCommand("npm", [...args, ...reporters], { cwd: root, show, env }).then(
      () => undefined,
      (/** @type {Error} */ error) => error.message,
    );
    if (!existsSync(resultsFile))
      return { passed: 0, failed: 1, note: "no tests were run", failures: [failure ?? ""] };
    return count(JSON.parse(readFileSync(resultsFile, "utf8")), failure);
  };
}

function count(results, failure) {
  const leftOut = results.numPendingTests + results.numTodoTests;
  const unloaded = results.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  const failed = results.numFailedTests + leftOut + unloaded.length;
  const isOutside = failure !== undefined && failed === 0;
  const notes = [
    leftOut > 0 ? `${leftOut} skipped, counted as failed` : "",
    unloaded.length > 0 ? `${unloaded.length} files did not load` : "",
    isOutside ? "ended with an error outside of any test" : "",
  ];
  return {
    passed: results.numPassedTests,
    failed: failed + (isOutside ? 1 : 0),
    note: notes.filter(Boolean).join("; "),
    failures: [
      ...(isOutside ? [failure] : []),
      ...unloaded.map((file) => `${relative(root, file.name)}\n${file.message}`),
      ...results.testResults.flatMap((file) => file.assertionResults.map(failureIn(file)).filter(Boolean)),
    ],
  };
}

function failureIn(file) {
  return ({ status, fullName, failureMessages }) =>
    status === "passed"
      ? undefined
      : `${relative(root, file.name)} > ${fullName} (${status})\n${failureMessages.join("\n")}`;
}
