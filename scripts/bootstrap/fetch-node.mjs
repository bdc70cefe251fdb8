import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { runCommand } from "../run-command.mjs";
import { childEnvironment } from "./child-environment.mjs";
import { cacheDirectory } from "./root.mjs";

/** Options that override any user's npm configuration. */
const plainInstall = [
  "--global=false",
  "--location=project",
  "--workspaces=false",
  "--dry-run=false",
  "--package-lock=true",
  "--ignore-scripts=true",
  "--audit=false",
  "--fund=false",
  "--loglevel=error",
  "--prefer-offline",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=500",
];

/**
 * The integrity of the tarball on npm of each version's binary, by platform.
 *
 * @type {Record<string, Record<string, string>>}
 */
const integrities = JSON.parse(readFileSync(new URL("node-packages.json", import.meta.url), "utf8"));

/** The versions that packages are tested on: the oldest supported line, and each later one. */
export const nodeVersions = ["22.13.1", "24.21.0", "26.10.0"];

/** Versions in order of preference: 26 needs libatomic, which a plain Debian lacks, and npm has no 24 for macOS. */
const versionsInPlaceOfOlder = ["24.21.0", "26.10.0"];

/** The version to use where the machine's own Node is too old, or undefined if npm has none for this platform. */
export function versionInPlaceOfOlder(platform = thisPlatform()) {
  return versionsInPlaceOfOlder.find((version) => integrities[version]?.[platform]);
}

/** @param {string} version @param {string} [cache] @returns {string} where `fetchNode` puts this version's program */
export function nodeProgram(version, cache = cacheDirectory) {
  return `${cache}/node/${version}/node_modules/${packageName()}/bin/node`;
}

/**
 * Returns the path of a listed version of Node, which npm installs into `.cache/node` on the first call. No install script runs. Throws
 * if npm cannot fetch it, if the tarball is not the listed one, or if the program does not start on this machine.
 *
 * @param {string} version
 * @param {{ cache?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export async function fetchNode(version, { cache = cacheDirectory, env = childEnvironment() } = {}) {
  const program = nodeProgram(version, cache);
  if (existsSync(program)) return program;
  const home = `${cache}/node/${version}`;
  const draft = `${home}.draft-${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    writeLockedProject(draft, version);
    await runCommand("npm", ["ci", `--prefix=${draft}`, ...plainInstall], { cwd: draft, env });
    execFileSync(program.replace(home, draft), ["--version"], { stdio: "ignore" });
    moveInto(home, draft, program);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}

function thisPlatform() {
  return `${process.platform}-${process.arch}`;
}

function packageName() {
  const platform = thisPlatform();
  return `node-${platform === "darwin-arm64" ? "bin-" : ""}${platform}`;
}

/** `npm ci` compares the tarball with the integrity in the lockfile. */
function writeLockedProject(directory, version) {
  const name = packageName();
  const integrity = integrities[version]?.[thisPlatform()];
  if (!integrity) throw new Error(`npm has no Node ${version} for ${thisPlatform()}`);
  const manifest = { name: "node-for-skillwright", version: "0.0.0", dependencies: { [name]: version } };
  const lock = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": manifest, [`node_modules/${name}`]: { version, integrity } },
  };
  writeFileSync(`${directory}/package.json`, JSON.stringify(manifest));
  writeFileSync(`${directory}/package-lock.json`, JSON.stringify(lock));
}

/** Another process may have been faster. A directory without the program remains from an older checkout. */
function moveInto(home, draft, program) {
  if (existsSync(program)) return;
  rmSync(home, { recursive: true, force: true });
  try {
    renameSync(draft, home);
  } catch (error) {
    if (!existsSync(program)) throw error;
  }
}
