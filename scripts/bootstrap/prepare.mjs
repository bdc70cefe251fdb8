import "../modern-node.mjs";
import { buildPackages } from "./build-packages.mjs";
import { installDependencies } from "./install-dependencies.mjs";
import { linkNode } from "./link-node.mjs";
import { StepFailed, tell } from "./step.mjs";

/**
 * Prepares the checkout so that `build` (directories such as `apps/agent`, with their dependencies; default: every
 * package) can run: dependencies installed from the lockfile, sources built. Up-to-date parts are not touched.
 * A failed step ends the process with exit code 1 after printing the reason and the remedy.
 *
 * @param {{ build?: string[] }} [options]
 */
export async function prepare({ build } = {}) {
  const started = performance.now();
  try {
    const installed = await installDependencies();
    linkNode();
    const built = await buildPackages(build);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    tell(
      installed || built
        ? `Ready in ${seconds} s.`
        : `Ready: dependencies and build are up to date (${seconds} s).`,
    );
  } catch (error) {
    const problem = error instanceof StepFailed ? error.message : unwritable(error);
    if (!problem) throw error;
    tell(problem);
    process.exit(1);
  }
}

/** Errors such as a checkout of another user or a full or read-only disk, which a stack trace would not explain. */
function unwritable(error) {
  if (!["EACCES", "EPERM", "EROFS", "ENOSPC"].includes(error.code)) return undefined;
  return (
    `Cannot write ${error.path ?? "into the checkout"} (${error.code}).\n` +
    "  What to do: run the command as the user who owns the checkout, or clone it again where you can write."
  );
}
