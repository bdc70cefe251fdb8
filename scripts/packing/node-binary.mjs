import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { childEnvironment } from "../bootstrap/child-environment.mjs";
import { cacheDirectory } from "../bootstrap/root.mjs";
import { runCommand } from "../run-command.mjs";

/** The Node versions that packages are tested on: the oldest supported one, and one of each later line. */
export const nodeVersions = ["20.19.0", "22.23.3", "24.21.0", "26.10.0"];

/**
 * The path of a Node of exactly this version, from the npm package that contains its binary; cached in `.cache/node`.
 * The platform's own package is installed, so that no install script has to run.
 */
export async function nodeBinary(version) {
  const name = `node-${process.platform === "darwin" ? "bin-" : ""}${process.platform}-${process.arch}`;
  const home = `${cacheDirectory}/node/${version}`;
  if (!existsSync(home)) {
    const draft = `${home}.draft`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const args = [
      "install",
      `--prefix=${draft}`,
      "--no-save",
      "--no-package-lock",
      "--no-audit",
      "--no-fund",
    ];
    await runCommand("npm", [...args, "--loglevel=error", `${name}@${version}`], {
      cwd: draft,
      env: childEnvironment(),
    });
    renameSync(draft, home);
  }
  return `${home}/node_modules/${name}/bin/node`;
}
