import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { childEnvironment } from "./child-environment.mjs";
import { findPnpm } from "./find-pnpm.mjs";
import { contentFingerprint, filesBelow, touchFingerprint } from "./fingerprint.mjs";
import { cacheDirectory, root } from "./root.mjs";
import { runStep } from "./step.mjs";
import { workspacePackages } from "./workspace-packages.mjs";

const recordFile = `${cacheDirectory}/built.json`;
const globalInputs = ["tsconfig.base.json", "tsup.config.ts", "turbo.json", "pnpm-lock.yaml"];
/** Directories of a package that its build does not read. */
const notInputs = new Set([
  "node_modules",
  "dist",
  "test",
  "coverage",
  ".turbo",
  "README.md",
  "CHANGELOG.md",
]);

/**
 * Builds the packages of these directories and their dependencies (default: everything that has a build script).
 * turbo decides what to rebuild; if no source and no dist has changed it is not started.
 * Returns true if something was built.
 *
 * @param {string[]} [directories]
 */
export async function buildPackages(directories) {
  const packages = workspacePackages();
  const buildable = packages.filter(({ manifest }) => manifest.scripts?.build);
  const targets = directories ? buildable.filter((one) => directories.includes(one.directory)) : buildable;
  const needed = withDependencies(targets, buildable);
  const inputs = inputFingerprints(buildable);
  const record = readRecord();
  const stale = needed.filter(({ directory }) => isStale(directory, inputs, record));
  if (stale.length === 0) return false;

  // Removed before the build starts: the output of a killed build is stale even if the sources are restored.
  for (const { directory } of stale) delete record[directory];
  writeRecord(record);
  await runTurbo(stale, targets);
  for (const { directory } of needed) {
    record[directory] = { inputs: inputs[directory], outputs: touchFingerprint(`${root}/${directory}/dist`) };
  }
  writeRecord(record);
  return true;
}

async function runTurbo(stale, targets) {
  const pnpmDirectory = await findPnpm();
  await runStep({
    title: `Building ${stale.length} ${stale.length === 1 ? "package" : "packages"} (${stale.map(({ name }) => name.replace(/^@.*\//, "")).join(", ")})`,
    log: "build",
    remedy:
      "read the compiler's lines above; after a change of branch `rm -rf node_modules .cache` starts from nothing.",
    command: `${root}/node_modules/.bin/turbo`,
    args: [
      "run",
      "build",
      ...targets.map(({ directory }) => `--filter=./${directory}...`),
      "--output-logs=errors-only",
      "--ui=stream",
    ],
    env: childEnvironment(pnpmDirectory),
    cwd: root,
  });
}

function isStale(directory, inputs, record) {
  const built = record[directory];
  if (!built || built.inputs !== inputs[directory]) return true;
  return built.outputs !== touchFingerprint(`${root}/${directory}/dist`);
}

/** The packages with all their dependencies of ours, in no particular order. */
function withDependencies(targets, packages) {
  const found = new Set();
  const visit = (/** @type {import("./workspace-packages.mjs").WorkspacePackage} */ one) => {
    if (found.has(one)) return;
    found.add(one);
    for (const dependency of dependenciesOf(one, packages)) visit(dependency);
  };
  for (const target of targets) visit(target);
  return [...found];
}

/** The dependencies that turbo sees: devDependencies are built first, too. */
function dependenciesOf({ manifest }, packages) {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  return packages.filter(({ name }) => names.includes(name));
}

/** A hash per directory over what the package's build and the builds of its dependencies read. */
export function inputFingerprints(packages, base = root) {
  const shared = contentFingerprint(globalInputs.map((name) => `${base}/${name}`));
  const own = new Map(
    packages.map((one) => [one, contentFingerprint(filesBelow(`${base}/${one.directory}`, notInputs))]),
  );
  return Object.fromEntries(
    packages.map((one) => {
      const hashes = withDependencies([one], packages).map((dependency) => own.get(dependency));
      return [one.directory, contentFingerprint([], shared, hashes.sort())];
    }),
  );
}

function readRecord() {
  try {
    return existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, "utf8")) : {};
  } catch {
    return {}; // Cut short by a kill: build again.
  }
}

function writeRecord(record) {
  mkdirSync(cacheDirectory, { recursive: true });
  writeFileSync(recordFile, JSON.stringify(record, undefined, 2));
}
