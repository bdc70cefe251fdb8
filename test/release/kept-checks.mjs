import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { contentFingerprint, filesBelow } from "../../scripts/bootstrap/fingerprint.mjs";
import { cacheHome, root } from "../../scripts/bootstrap/root.mjs";
import { machineEnvironment } from "../../scripts/lanes/machine-environment.mjs";

/**
 * Runs groups of checks, each about some packages. A group is not run again if it passed with the same inputs: the tarballs of its
 * packages and of those that they install, the reports of their exports, the programs and the scripts. `isForced` runs all groups.
 *
 * @typedef {import("../../scripts/checks.mjs").checks} Checks
 * @typedef {{ name: string, manifest: Record<string, any>, tarball: string }} Packed
 *
 * @param {Pick<ReturnType<Checks>, "check" | "passedBefore">} checks
 * @param {{ packed: Packed[], nodes: { version: string }[], expected: Record<string, any>, isForced: boolean }} options
 */
export function keptChecks({ check, passedBefore }, { packed, nodes, expected, isForced }) {
  const directory = `${cacheHome()}/skillwright/packed`;
  const everywhere = [
    machineEnvironment(process.env).SKILLWRIGHT_MACHINE,
    nodes.map(({ version }) => version),
    expected.asOf,
  ];
  const scripts = ["test/release", "scripts/packing", "scripts/bootstrap"]
    .flatMap((folder) => filesBelow(`${root}/${folder}`))
    .filter((file) => !file.endsWith("expected-installs.json"));
  const programs = ["typescript", "@types/node"].map((name) => `${root}/node_modules/${name}/package.json`);

  /** @param {string} name @param {Packed[]} wanted @param {(each: typeof check) => Promise<void>} run */
  return async (name, wanted, run) => {
    const used = installed(wanted, packed);
    const files = used.flatMap(({ name, tarball }) => [tarball, `${root}/docs/api/${name.split("/")[1]}.md`]);
    const brought = wanted.map((one) => expected.packages[one.name]);
    const inputs = [...files, ...scripts, ...programs].map((file) => contentOf(file));
    const note = `${directory}/${contentFingerprint([], name, inputs, brought, everywhere)}`;
    if (!isForced && existsSync(note)) return passedBefore(name, Number(readFileSync(note, "utf8")));
    const results = /** @type {boolean[]} */ ([]);
    await run(async (...args) => {
      const passed = await check(...args);
      results.push(passed);
      return passed;
    });
    if (results.length === 0 || results.includes(false)) return;
    mkdirSync(directory, { recursive: true });
    writeFileSync(note, `${results.length}\n`);
  };
}

/** A hash of the content alone, because tarballs of other checkouts have other paths. */
function contentOf(/** @type {string} */ file) {
  return existsSync(file) ? contentFingerprint([], readFileSync(file, "latin1")) : "missing";
}

/** The given packages with all packages of this repository that they install, as dependencies and peers. @param {Packed[]} wanted @param {Packed[]} packed */
function installed(wanted, packed) {
  const found = new Set(wanted);
  // The loop also visits what is added to the set meanwhile.
  for (const { manifest } of found) {
    const names = Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    });
    for (const one of packed) if (names.includes(one.name)) found.add(one);
  }
  return [...found].sort((a, b) => (a.name < b.name ? -1 : 1));
}
