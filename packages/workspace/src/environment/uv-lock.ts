import { tomlLibrary } from "#late";
import { type Fields, fieldsIn, isFields, textsIn } from "../fields.js";

/** One `[[package]]` of a lockfile of uv. */
export interface UvPackage {
  readonly name: string;
  readonly version: string;
  readonly source: Fields;
  /** Conditions under which this one of several versions is used; empty means always. */
  readonly conditions: readonly string[];
  /** By extra; the empty name holds those that the package always has. */
  readonly dependencies: ReadonlyMap<string, readonly UvDependency[]>;
  readonly wheels: readonly Fields[];
}

export interface UvDependency {
  readonly name: string;
  /** Missing where the lockfile has one version only. */
  readonly version: string | undefined;
  readonly marker: string | undefined;
  readonly extras: readonly string[];
}

export interface UvLock {
  readonly requiresPython: string | undefined;
  readonly packages: readonly UvPackage[];
  /** What a lockfile of a script locks. */
  readonly requirements: readonly UvDependency[];
}

/** Reads a lockfile of version 1, or says why it cannot be read. */
export function uvLock(text: string): UvLock | { readonly problem: string } {
  let lock: Fields;
  try {
    lock = tomlLibrary().parse(text);
  } catch {
    return { problem: "it is not TOML" };
  }
  if (lock["version"] !== 1)
    return { problem: `its version is ${JSON.stringify(lock["version"] ?? "missing")}, and 1 is read` };
  const { manifest, "requires-python": python } = lock;
  return {
    requiresPython: typeof python === "string" ? python : undefined,
    packages: fieldsIn(lock["package"]).map(packageOf),
    requirements: dependenciesOf(isFields(manifest) ? manifest["requirements"] : []),
  };
}

function packageOf(fields: Fields): UvPackage {
  const extras = fields["optional-dependencies"];
  return {
    name: String(fields["name"] ?? ""),
    version: String(fields["version"] ?? ""),
    source: isFields(fields["source"]) ? fields["source"] : {},
    conditions: textsIn(fields["resolution-markers"]),
    dependencies: new Map([
      ["", dependenciesOf(fields["dependencies"])],
      ...Object.entries(isFields(extras) ? extras : {}).map(
        ([extra, list]) => [extra, dependenciesOf(list)] as const,
      ),
    ]),
    wheels: fieldsIn(fields["wheels"]),
  };
}

function dependenciesOf(list: unknown): readonly UvDependency[] {
  return fieldsIn(list).map(({ name, version, marker, extra, extras }) => ({
    name: String(name),
    version: typeof version === "string" ? version : undefined,
    marker: typeof marker === "string" ? marker : undefined,
    extras: textsIn(extra ?? extras),
  }));
}
