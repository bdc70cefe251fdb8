import type { SkillHistory, VersionRecord } from "./history-entry.js";

/** Number, origin and time of the content in place, as far as they are known. */
export interface CurrentVersion extends Pick<VersionRecord, "createdAt" | "by"> {
  readonly version: number;
}

/**
 * The version that the content in place is. Content that was changed without the repository is the version after the
 * latest known one.
 * @param digest Of the content in place; `undefined` for a broken skill.
 */
export function currentVersion(
  { entries, record }: SkillHistory,
  digest: string | undefined,
): CurrentVersion {
  const newest = entries[0];
  const last = newest?.version ?? 0;
  const recorded = record?.version ?? 0;
  const known = recorded > last ? record : newest;
  // Content kept before it was replaced by a process that was killed then, or uploaded again after a deletion.
  if (known && digest !== undefined && known.digest === digest)
    return { version: Math.max(recorded, last), ...origin(known) };
  return { version: Math.max(recorded, last) + 1 };
}

function origin({ createdAt, by }: VersionRecord): Pick<VersionRecord, "createdAt" | "by"> {
  return { ...(createdAt !== undefined && { createdAt }), ...(by !== undefined && { by }) };
}
