import { SkillError } from "@skillwright/core";

/** Limits for the content of a snapshot. */
export interface SnapshotLimits {
  /** Number of files. Defaults to 100,000. */
  readonly files?: number | undefined;
  /** Total bytes of all files. Defaults to 4 GiB. */
  readonly bytes?: number | undefined;
}

export const SNAPSHOT_LIMITS = { files: 100_000, bytes: 4 * 1024 ** 3 } as const;

export interface CheckedLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Applies the defaults. @throws SkillError `INPUT_INVALID` for an invalid number. */
export function checkedLimits({ files, bytes }: SnapshotLimits = {}): CheckedLimits {
  const limits = { files: files ?? SNAPSHOT_LIMITS.files, bytes: bytes ?? SNAPSHOT_LIMITS.bytes };
  for (const [name, value] of Object.entries(limits))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new SkillError("INPUT_INVALID", `The limit "${name}" must be a whole number, 0 or more.`);
  return limits;
}
