import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { cacheDirectory } from "../../scripts/bootstrap/root.mjs";
import { outsideTheMachine } from "./needs.js";

/**
 * What a run says of one test file. `isWhole` means that nothing of it was left out; `isRepeatable` means that no
 * suite was left out for want of something outside of the machine, such as a network, which may be there in the next run.
 */
export interface FileResult {
  /** Relative to Vitest's root. */
  readonly file: string;
  readonly project: string;
  readonly passed: number;
  /** One text for each failed or skipped test, for a file that did not load, and for an error outside of its tests. */
  readonly failures: readonly string[];
  readonly isWhole: boolean;
  readonly isRepeatable: boolean;
  /** The result of an earlier run with the same inputs. */
  readonly isFromBefore?: boolean;
}

export interface RunResults {
  readonly files: readonly FileResult[];
  /** Errors outside of any test whose file is not known. */
  readonly errors: readonly string[];
}

/**
 * Writes the results of a run to `.cache/test-results.json`, or to the file that SKILLWRIGHT_RESULTS names. `.ci/run` counts from
 * it: a skipped or todo test counts as failed, as does a file that could not be loaded.
 */
export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly UnhandledError[]): void {
    const results: RunResults = {
      files: modules.map((module) => resultOf(module, unhandled)),
      errors: unhandled
        .filter((error) => !modules.some(({ moduleId }) => moduleId === error.VITEST_TEST_PATH))
        .map(textOf),
    };
    const path = process.env["SKILLWRIGHT_RESULTS"] ?? `${cacheDirectory}/test-results.json`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(results));
  }
}

interface UnhandledError {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly VITEST_TEST_PATH?: string;
}

function resultOf(module: TestModule, unhandled: readonly UnhandledError[]): FileResult {
  const tests = [...module.children.allTests()];
  const suites = [...module.children.allSuites()];
  const passed = tests.filter((test) => test.result().state === "passed");
  const missing = suites.flatMap((suite) => suite.meta().missing ?? []);
  const failures = [
    ...tests.filter((test) => !passed.includes(test)).map(failureOf),
    ...[module, ...suites].flatMap((place) => place.errors().map(textOf)),
    ...unhandled.filter((error) => error.VITEST_TEST_PATH === module.moduleId).map(textOf),
  ];
  const state = module.state();
  if (failures.length === 0 && state !== "passed" && state !== "skipped")
    failures.push(`The file did not run to its end (${state}).`);
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    passed: passed.length,
    failures,
    isWhole: failures.length === 0 && missing.length === 0,
    isRepeatable: !missing.some((need) => outsideTheMachine.includes(need)),
  };
}

function failureOf(test: TestCase): string {
  const { state, errors = [] } = test.result();
  return [`${test.fullName} (${state})`, ...errors.map(textOf)].join("\n");
}

function textOf({
  message,
  stack,
}: {
  readonly message: string;
  readonly stack?: string | undefined;
}): string {
  return stack?.includes(message) ? stack : [message, stack ?? ""].join("\n").trimEnd();
}
