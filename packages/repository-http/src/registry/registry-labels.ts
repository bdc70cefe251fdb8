import { SkillError } from "@skillwright/core";

/** Versions by label, such as `{ stable: "3" }`. */
export type VersionLabels = Readonly<Record<string, string>>;

/** Where a registry keeps the labels of versions. A label is moved from one version to another; a version never changes. */
export interface RegistryLabels {
  /** The labels of every skill, by its name. */
  read(): Promise<Readonly<Record<string, VersionLabels>>>;
  /** Gives the label to a version, or removes it where that is `undefined`. */
  move(skill: string, label: string, version: string | undefined): Promise<void>;
}

/** The labels of one skill. A name such as `constructor` is one like any other. */
export async function labelsOf(labels: RegistryLabels | undefined, skill: string): Promise<VersionLabels> {
  const all = (await labels?.read()) ?? {};
  return Object.hasOwn(all, skill) ? (all[skill] ?? {}) : {};
}

const LABEL = /^[a-z](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;

/** @throws SkillError `INPUT_INVALID` for anything but 1 to 64 lower-case letters, digits, `.`, `_` and `-`. */
export function checkLabel(label: string): string {
  if (LABEL.test(label)) return label;
  throw new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(label.slice(0, 80))} is not a label. Use 1 to 64 lower-case letters, digits, ".", "_" and "-", beginning with a letter.`,
  );
}
