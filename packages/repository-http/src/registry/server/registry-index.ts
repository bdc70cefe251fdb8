import { SkillError, type SkillListing, type SkillSummary, type SkillVersion } from "@skillwright/core";
import { byteDigest } from "../../payload/byte-digest.js";
import { SCHEMA } from "../../payload/skill-index.js";
import type { VersionLabels } from "../registry-labels.js";
import type { ServedSkill } from "./packed-skill.js";

/** An entry of an index of Agent Skills Discovery 0.2.0, with the versions of the skill in addition. */
interface IndexEntry {
  readonly name: string;
  readonly type: "archive";
  readonly description: string;
  readonly url: string;
  /** Over the raw bytes of the archive. */
  readonly digest: string;
  readonly version?: string;
  readonly versions?: readonly SkillVersion[];
}

export interface IndexParts {
  serve(name: string): Promise<ServedSkill>;
  /** `undefined` where the repository keeps none. */
  versions(name: string): Promise<readonly SkillVersion[] | undefined>;
  /** Query of the archive of one version, or of the newest where the repository keeps no versions. */
  archiveQuery(name: string, version: string | undefined): string;
  /** Receives why a skill is left out. */
  onError?: ((error: unknown) => void) | undefined;
}

/**
 * Builds the index. Each skill is packed once for as long as its change mark stays. One that cannot be packed, or was
 * deleted meanwhile, is left out.
 */
export function registryIndex(
  parts: IndexParts,
): (listing: SkillListing, labels: Readonly<Record<string, VersionLabels>>) => Promise<object> {
  let known = new Map<string, IndexEntry>();

  return async ({ skills }, labels) => {
    const entries = new Map<string, IndexEntry>();
    const told: object[] = [];
    const names = new Set<string>();
    for (const skill of skills) {
      // Where two share a name, a load by name gets the first.
      if (names.has(skill.name)) continue;
      names.add(skill.name);
      const key = JSON.stringify([skill.name, skill.path, skill.changeMark, skill.version]);
      const entry = known.get(key) ?? (await entryOf(skill).catch(leftOut));
      if (!entry) continue;
      entries.set(key, entry);
      told.push({ ...entry, labels: Object.hasOwn(labels, skill.name) ? labels[skill.name] : {} });
    }
    known = entries;
    return { $schema: SCHEMA, skills: told };
  };

  function leftOut(error: unknown): undefined {
    if (SkillError.is(error, "BACKEND_FAILED") || !SkillError.is(error)) throw error;
    parts.onError?.(error);
  }

  async function entryOf({ name, description }: SkillSummary): Promise<IndexEntry> {
    const { mark, pack } = await parts.serve(name);
    const versions = await parts.versions(name);
    return {
      name,
      type: "archive",
      description,
      url: `../../v1/archive?${parts.archiveQuery(name, versions && (mark.version ?? mark.digest))}`,
      digest: byteDigest(await pack()),
      ...(mark.version !== undefined && { version: mark.version }),
      ...(versions && { versions }),
    };
  }
}
