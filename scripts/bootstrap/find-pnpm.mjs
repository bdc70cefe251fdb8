import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute } from "node:path";
import { childEnvironment } from "./child-environment.mjs";
import { cacheDirectory, root } from "./root.mjs";
import { runStep } from "./step.mjs";

/** Options that override any user's npm configuration. */
const plainInstall = [
  "--global=false",
  "--location=project",
  "--workspaces=false",
  "--dry-run=false",
  "--bin-links=true",
  "--package-lock-only=false",
  "--ignore-scripts=true",
  "--package-lock=false",
  "--save=false",
  "--audit=false",
  "--fund=false",
  "--loglevel=error",
];

/**
 * The directory that holds a `pnpm` of exactly the version that the root manifest pins: one on the PATH, or one
 * installed with npm into `.cache/pnpm`. It never uses corepack, which needs signatures that a mirror may not serve.
 */
export async function findPnpm() {
  const version = pinnedVersion();
  const onPath = (process.env.PATH ?? "").split(delimiter).find((directory) => holdsPnpm(directory, version));
  if (onPath) return onPath;

  const home = `${cacheDirectory}/pnpm/${version}`;
  if (!existsSync(home)) await installPnpm(version, home);
  return `${home}/node_modules/.bin`;
}

function pinnedVersion() {
  const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  return packageManager.replace(/^pnpm@/, "").replace(/\+.*$/, "");
}

function holdsPnpm(directory, version) {
  const file = `${directory}/pnpm`;
  if (!isAbsolute(directory) || !existsSync(file) || realpathSync(file).includes("corepack")) return false;
  try {
    // Outside the checkout, whose pin would make it run (or download) another version than its own.
    /** @type {import("node:child_process").ExecFileSyncOptionsWithStringEncoding} */
    const options = { cwd: tmpdir(), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: 20_000 };
    return execFileSync(file, ["--version"], { ...options, env: childEnvironment() }).trim() === version;
  } catch {
    return false;
  }
}

/** Installs under a temporary name first, so that a killed run leaves nothing that looks installed. */
async function installPnpm(version, home) {
  const draft = `${home}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  await runStep({
    title: `Installing pnpm ${version} into .cache/pnpm with npm (once)`,
    log: "pnpm",
    remedy: "check that npm reaches its registry (npm ping), then run the command again.",
    command: "npm",
    args: ["install", `--prefix=${draft}`, ...plainInstall, `pnpm@${version}`],
    env: childEnvironment(),
    cwd: draft,
  });
  // pnpm's own install script, which npm skipped, puts the program of this platform in the place of a shell script.
  execFileSync(process.execPath, [`${draft}/node_modules/pnpm/install.js`], { stdio: "inherit" });
  renameSync(draft, home);
}
