import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { importedSpecifiers, packageOf } from "./readers/imports.js";
import { type Package, packagesIn, runtimeDependencies, scope } from "./readers/packages.js";
import { sourceFiles } from "./readers/source-files.js";

const core = `${scope}core`;
const packages = packagesIn("packages");
/** The package with the supervisor's program, the function that locates it, and the log of its output. */
const supervisor = `${scope}supervisor`;
/**
 * The packages that depend on more than core: runtimes start the supervisor, the tools lint what they write, and keep questions and
 * proposals in records, in memory by default.
 */
const besidesCore: Record<string, readonly string[]> = {
  [`${scope}runtime-local`]: [supervisor],
  [`${scope}runtime-docker`]: [supervisor],
  [`${scope}runtime-kubernetes`]: [supervisor],
  [`${scope}tools`]: [`${scope}lint`, `${scope}records`, `${scope}repository-memory`],
};
/** Packages that need nothing of core: core itself, and the built files of the web page. */
const withoutCore = new Set([core, `${scope}web`]);
/** These combine other packages; all others depend on core only. */
const putTogether = new Set([
  `${scope}agent`,
  `${scope}cli`,
  `${scope}config`,
  `${scope}mcp`,
  `${scope}server`,
]);

describe("the import star", () => {
  it("covers packages", () => {
    expect(packages.map(({ name }) => name)).toContain(core);
    expect(packages.length).toBeGreaterThan(5);
  });

  it.each(packages)(
    "$name depends on no package of ours but core and what it is allowed",
    ({ name, manifest }) => {
      const ours = runtimeDependencies(manifest).filter((dependency) => dependency.startsWith(scope));
      if (putTogether.has(name)) expect(ours).toContain(core);
      else
        expect(ours.filter((one) => !besidesCore[name]?.includes(one))).toEqual(
          withoutCore.has(name) ? [] : [core],
        );
    },
  );

  it.each(packages)("$name has core as an ordinary dependency, never as a peer", ({ name, manifest }) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    const ours = Object.keys(peerDependencies).filter((one) => one.startsWith(scope));
    // Packages that combine others work without the heavy ones that are not installed.
    const wrong = putTogether.has(name)
      ? ours.filter((one) => one === core || !peerDependenciesMeta[one]?.optional)
      : ours;
    expect(wrong).toEqual([]);
  });

  it.each(packages)(
    "$name imports only what its manifest names, and nothing outside its own directory",
    (one) => {
      expect(strangeImports(one)).toEqual([]);
    },
  );

  it.each(packages)("$name does not import itself by name, nor an app", ({ directory, name }) => {
    const wrong = sourceFiles(`${directory}/src`).filter(({ text }) =>
      importedSpecifiers(text).some(
        (specifier) => packageOf(specifier) === name || specifier.includes("apps/"),
      ),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

function strangeImports({ directory, manifest }: Package): string[] {
  const declared = new Set(runtimeDependencies(manifest));
  return sourceFiles(`${directory}/src`).flatMap(({ path, text }) =>
    importedSpecifiers(text)
      .filter((specifier) => {
        const name = packageOf(specifier);
        if (name !== undefined) return !declared.has(name);
        // The manifest defines the package's internal names by conditions.
        if (specifier.startsWith("#"))
          return !Object.values(manifest.imports?.[specifier] ?? { "": "" }).every(
            (target) => target.startsWith("./") || declared.has(packageOf(target) ?? ""),
          );
        if (!specifier.startsWith(".")) return !specifier.startsWith("node:");
        return !posix.join(posix.dirname(path), specifier).startsWith(`${directory}/src/`);
      })
      .map((specifier) => `${path} imports ${specifier}`),
  );
}
