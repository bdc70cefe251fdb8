import { cpSync } from "node:fs";
import { childEnvironment } from "../bootstrap/child-environment.mjs";
import { runCommand } from "../run-command.mjs";

/**
 * Copies a folder with a `package.json` and a lockfile of its own, installs it with npm, and installs packed packages beside. No install
 * script runs.
 *
 * @param {{ source: string, project: string, tarballs: string[], flags?: string[] }} options `flags` for the installation of the tarballs
 */
export async function lockedProject({ source, project, tarballs, flags = [] }) {
  cpSync(source, project, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  const npm = (/** @type {string[]} */ args) =>
    runCommand("npm", [...args, ...QUIET], { cwd: project, env: childEnvironment() });
  await npm(["ci"]);
  await npm(["install", "--no-save", "--no-package-lock", ...flags, ...tarballs]);
}

const QUIET = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", "--ignore-scripts"];
