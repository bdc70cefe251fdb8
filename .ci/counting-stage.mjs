import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * A stage that is a program whose output ends with a line `N passed, N failed`. A non-zero exit without a counted
 * failure, or a count of zero, is itself a failure.
 *
 * @param {string} command
 * @param {string[]} args
 */
export function countingStage(command, args) {
  return async (/** @type {(text: string) => void} */ show) => {
    const { exitedZero, output } = await runCommand(command, args, { cwd: root, show }).then(
      ({ output }) => ({ exitedZero: true, output }),
      (error) => ({ exitedZero: false, output: error.output ?? String(error) }),
    );
    const counted = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
    const [passed, failed] = [Number(counted?.[1] ?? 0), Number(counted?.[2] ?? 0)];
    const silentFailure = failed === 0 && (!exitedZero || passed === 0);
    return {
      passed,
      failed: failed + (silentFailure ? 1 : 0),
      note: silentFailure ? "ended without its counts" : "",
      failures: silentFailure ? [output] : [...output.matchAll(/^✗ .*(?:\n {4}.*)*/gm)].map(String),
    };
  };
}
