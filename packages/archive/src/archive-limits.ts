import { SKILL_LIMITS } from "@skillwright/core";
import type { ArchiveLimits } from "./skill-archive.js";

export function archiveLimits(limits: Partial<ArchiveLimits> = {}): ArchiveLimits {
  return { ...SKILL_LIMITS, archiveBytes: 32 * 1024 * 1024, ...limits };
}
