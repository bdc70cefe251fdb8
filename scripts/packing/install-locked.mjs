import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { childEnvironment } from "../bootstrap/child-environment.mjs";
import { contentFingerprint } from "../bootstrap/fingerprint.mjs";
import { runStep } from "../bootstrap/step.mjs";

/**
 * Installs a directory outside of the workspace from its own `package-lock.json` with npm, without install scripts, unless
 * that was done already. Rejects with a StepFailed.
 *
 * @param {{ directory: string, title: string, log: string }} installation
 */
export async function installLocked({ directory, title, log }) {
  /** In node_modules, so that deleting that deletes the stamp. */
  const stampFile = `${directory}/node_modules/.skillwright-installed`;
  const wanted = contentFingerprint([`${directory}/package.json`, `${directory}/package-lock.json`]);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  rmSync(stampFile, { force: true });
  await runStep({
    title,
    log,
    remedy: "check that npm reaches its registry (npm ping), then run the command again.",
    command: "npm",
    args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    env: childEnvironment(),
    cwd: directory,
  });
  writeFileSync(stampFile, wanted);
}
