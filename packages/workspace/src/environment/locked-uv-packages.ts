import type { LockedRequirements } from "./locked-requirements.js";
import { type UvDependency, type UvLock, type UvPackage, uvLock } from "./uv-lock.js";

const MAX_STEPS = 100_000;
const MAX_CONDITIONS = 64;
const NAME = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
const VERSION = /^[\w.+!-]+$/;
const HASH = /^sha(?:256|384|512):[0-9a-f]+$/;
/** Markers that are safe in a line of a requirements file. */
const MARKER = /^(?!.*--)[\w\s.'"<>=!~()+*-]+$/;

/**
 * Reads the `uv.lock` of a project, or the `.lock` of each of several scripts: the packages that they need to run,
 * without extras and groups of the project, with the hashes of their wheels. Each comes from a package index; the
 * machine decides from which one.
 */
export function lockedUvPackages(texts: readonly string[]): LockedRequirements {
  const reached = new Map<string, Reached>();
  const pythons: string[] = [];
  try {
    for (const text of texts) {
      const lock = uvLock(text);
      if ("problem" in lock) throw new Unlockable(lock.problem, "Lock again with `uv lock`.");
      addAll(reached, conditionsOf(lock));
      if (lock.requiresPython !== undefined && !pythons.includes(lock.requiresPython))
        pythons.push(lock.requiresPython);
    }
    const sorted = [...reached].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
    return {
      packages: sorted.map(({ found: { name, version } }) => ({ name, version })),
      text: sorted.map((one) => `${lineOf(one)}\n`).join(""),
      ignored: [],
      requiresPython: pythons.length === 0 ? undefined : pythons.join(","),
    };
  } catch (error) {
    if (error instanceof Unlockable) return { problem: error.message, remedy: error.remedy };
    throw error;
  }
}

interface Reached {
  readonly found: UvPackage;
  readonly paths: Paths;
}

/** Ends reading where a package cannot be installed. */
class Unlockable extends Error {
  readonly remedy: string;
  constructor(problem: string, remedy: string) {
    super(problem);
    this.remedy = remedy;
  }
}

/** Ways to a package: each a set of markers that all hold. A package without markers on one way is always needed. */
type Paths = readonly ReadonlySet<string>[];

/** Adds the packages of one more lockfile, which must agree with the others on their versions. */
function addAll(all: Map<string, Reached>, more: ReadonlyMap<UvPackage, Paths>): void {
  const versions = (packages: Iterable<UvPackage>, name: string) =>
    [...packages].filter((one) => one.name === name).map(({ version }) => version);
  const before = [...all.values()].map(({ found }) => found);
  for (const { name } of more.keys()) {
    const [other, own] = [versions(before, name), versions(more.keys(), name)];
    const differ = other.length !== own.length || own.some((version) => !other.includes(version));
    if (other.length > 0 && differ)
      throw new Unlockable(
        `the scripts lock ${name} ${other.join(", ")} and ${own.join(", ")}, and a skill has one set of packages`,
        "Lock all of them in a pyproject.toml with a uv.lock.",
      );
  }
  for (const [found, paths] of more) {
    const key = `${found.name} ${found.version}`;
    const joined = paths.reduce(shortest, all.get(key)?.paths ?? []);
    all.set(key, { found, paths: joined });
  }
}

/** The packages that are reached from what the lockfile locks. */
function conditionsOf(lock: UvLock): ReadonlyMap<UvPackage, Paths> {
  const own = lock.packages.find(({ source }) =>
    [source["virtual"], source["editable"], source["directory"]].includes("."),
  );
  const reached = new Map<UvPackage, Paths>();
  const seen = new Map<UvPackage, Map<string, Paths>>();
  const open: [UvDependency, ReadonlySet<string>][] = [
    ...(own?.dependencies.get("") ?? []),
    ...lock.requirements,
  ].map((dependency) => [dependency, new Set()]);
  for (let step = 0; open.length > 0; step++) {
    const [dependency, above] = open.pop() ?? [];
    if (!dependency || !above) break;
    if (step > MAX_STEPS) throw new Unlockable("its markers are too many", "Lock fewer platforms.");
    for (const one of candidates(dependency, lock.packages)) {
      const markers = [dependency.marker, one.condition].filter((marker) => marker !== undefined);
      const path = new Set([...above, ...markers]);
      for (const marker of markers) checkMarker(marker, dependency.name);
      reached.set(one.found, shortest(reached.get(one.found) ?? [], path));
      const known = seen.get(one.found) ?? new Map<string, Paths>();
      seen.set(one.found, known);
      for (const extra of ["", ...dependency.extras]) {
        const before = known.get(extra);
        if (before?.some((other) => isWithin(other, path))) continue;
        known.set(extra, shortest(before ?? [], path));
        for (const next of one.found.dependencies.get(extra) ?? []) open.push([next, path]);
      }
    }
  }
  return reached;
}

/** Without those that another one implies. */
function shortest(paths: Paths, added: ReadonlySet<string>): Paths {
  if (paths.some((path) => isWithin(path, added))) return paths;
  return [...paths.filter((path) => !isWithin(added, path)), added];
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((marker) => whole.has(marker));
}

/** The package that is meant; where there are several versions and none is named, all, each under its own conditions. */
function candidates({ name, version }: UvDependency, packages: readonly UvPackage[]) {
  const meant = packages.filter(
    (one) => one.name === name && (version === undefined || one.version === version),
  );
  if (meant.length === 0) throw new Unlockable(`it needs ${name}, which it does not lock`, "Run `uv lock`.");
  return meant.map((found) => ({
    found,
    condition: meant.length > 1 && found.conditions.length > 0 ? anyOf(found.conditions) : undefined,
  }));
}

function checkMarker(marker: string, name: string): void {
  if (/\bextras?\b/.test(marker))
    throw new Unlockable(
      `${name} depends on extras that conflict`,
      "Lock without `tool.uv.conflicts`, with `uv lock`.",
    );
  if (!MARKER.test(marker)) throw new Unlockable(`${name} has a marker that is none`, "Run `uv lock`.");
}

function lineOf({ found: { name, version, source, wheels }, paths }: Reached): string {
  if (!NAME.test(name) || !VERSION.test(version))
    throw new Unlockable(`${JSON.stringify(name)} has no version`, "Run `uv lock`.");
  if (typeof source["registry"] !== "string" || !/^https?:/.test(source["registry"]))
    throw new Unlockable(
      `${name} comes from ${kindOf(source)}, and only packages of an index are installed`,
      `Depend on a version of ${name} that an index has, or put its files into the skill, and run \`uv lock\`.`,
    );
  if (wheels.length === 0)
    throw new Unlockable(
      `${name} has no wheel, and building a package runs its code`,
      `Depend on a version of ${name} with wheels, and run \`uv lock\`.`,
    );
  const hashes = wheels.map(({ hash }) => hash);
  if (!hashes.every((hash) => typeof hash === "string" && HASH.test(hash)))
    throw new Unlockable(
      `${name} has no hash`,
      "Lock from an index that gives hashes, such as that of PyPI, with `uv lock`.",
    );
  if (paths.length > MAX_CONDITIONS)
    throw new Unlockable(`${name} has too many markers`, "Lock fewer platforms.");
  const ways = paths.map((path) => [...path].map((marker) => `(${marker})`).join(" and "));
  const condition = ways.includes("") ? "" : ` ; ${anyOf(ways)}`;
  return `${name}==${version}${condition} ${hashes.map((hash) => `--hash=${hash}`).join(" ")}`;
}

function anyOf(markers: readonly string[]): string {
  const [only = ""] = markers;
  return markers.length === 1 ? only : markers.map((marker) => `(${marker})`).join(" or ");
}

function kindOf(source: UvPackage["source"]): string {
  const [kind = "nowhere"] = Object.keys(source);
  return kind === "registry" ? "a folder" : kind === "git" ? "git" : `its ${kind}`;
}
