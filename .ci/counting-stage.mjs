import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * A stage that is a program whose output ends with a line `N passed, N failed`, perhaps after `N as before`. A non-zero exit without a
 * counted failure, or a count of zero, is itself a failure. The whole program is what is run again.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to the environment
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function countingStage(command, args, env = {}) {
  const once = async (/** @type {(text: string) => void} */ show) => {
    const options = { cwd: root, show, env: { ...process.env, ...env } };
    const { exitedZero, output } = await runCommand(command, args, options).then(
      ({ output }) => ({ exitedZero: true, output }),
      (error) => ({ exitedZero: false, output: error.output ?? String(error) }),
    );
    const counted = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
    const [passed, failed] = [Number(counted?.[1] ?? 0), Number(counted?.[2] ?? 0)];
    const note = output.match(/^\d+ as before$/m)?.[0];
    if (failed === 0 && exitedZero && passed > 0) return { passed, failed, texts: [], note };
    const failures = [...output.matchAll(/^✗ .*(?:\n {4}.*)*/gm)].map(String);
    const texts = failed > 0 ? failures : [`It ended without its counts.\n${output}`];
    return { passed, failed: Math.max(failed, 1), texts };
  };
  return async (show) => {
    const { passed, failed, texts, note } = await once(show);
    if (failed === 0) return { passed, failures: [], note };
    return { passed: 0, failures: [{ name: "the whole stage", passed, failed, texts, again: once }] };
  };
}
