import { SkillError } from "@skillwright/core";

/** What a snapshot may bring into a workspace. */
export interface SnapshotLimits {
  /** Default 100,000. */
  readonly files?: number | undefined;
  /** Of all files together; default 4 GiB. */
  readonly bytes?: number | undefined;
}

export const SNAPSHOT_LIMITS = { files: 100_000, bytes: 4 * 1024 ** 3 } as const;

export interface CheckedLimits {
  readonly files: number;
  readonly bytes: number;
}

/** With the defaults. @throws SkillError `INPUT_INVALID` for what is no count. */
export function checkedLimits({ files, bytes }: SnapshotLimits = {}): CheckedLimits {
  const limits = { files: files ?? SNAPSHOT_LIMITS.files, bytes: bytes ?? SNAPSHOT_LIMITS.bytes };
  for (const [name, value] of Object.entries(limits))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new SkillError("INPUT_INVALID", `The limit "${name}" must be a whole number, 0 or more.`);
  return limits;
}
