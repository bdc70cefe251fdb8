import type { ManifestFile } from "@skillwright/core";

export type EnvironmentKind = "python" | "node" | "ruby";

export interface NeededPackage {
  readonly name: string;
  readonly version: string;
}

/** The packages of one kind that a skill locks, and how they are installed. */
export interface EnvironmentNeed {
  readonly kind: EnvironmentKind;
  /** The skill's file that locks them. */
  readonly declaredIn: string;
  readonly packages: readonly NeededPackage[];
  /** The files that the installer reads, by name. They hold what was checked, and nothing else of the skill's files. */
  readonly files: Readonly<Record<string, string>>;
  /** Wheels or gems of the skill. Where there are any, nothing is fetched from an index. */
  readonly wheels: readonly ManifestFile[];
  /** 64 hexadecimal digits; the same for every skill that locks the same packages. */
  readonly digest: string;
}

/** The directory below `skills/` that shows an environment to commands. */
export const ENVIRONMENT_DIRECTORIES: Readonly<Record<EnvironmentKind, string>> = {
  python: "python_environment",
  ruby: "ruby_environment",
  // Node searches this name in the directories above a script, also for `import`, which no variable steers.
  node: "node_modules",
};

/** True for a directory below `skills/` that holds packages instead of a skill. */
export function isEnvironmentDirectory(name: string): boolean {
  return Object.values(ENVIRONMENT_DIRECTORIES).includes(name);
}
