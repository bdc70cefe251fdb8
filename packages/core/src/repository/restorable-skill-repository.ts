import type { CallOptions } from "../closable.js";
import type { Skill } from "../skill/skill.js";
import type { WritableSkillRepository } from "./skill-repository.js";

export interface DeletedSkill {
  readonly name: string;
  /** The path it had, which a restore gives back. */
  readonly path: string;
  /** ISO 8601. */
  readonly deletedAt: string;
}

export interface RestoreOptions extends CallOptions {
  /** Selects one of several deletions; the latest by default. */
  readonly deletedAt?: string | undefined;
}

/** A writable repository whose deletions can be undone. Verified by `testRestorableSkillRepository`. */
export interface RestorableSkillRepository extends WritableSkillRepository {
  /**
   * Lists what can be restored, most recently deleted first. An adapter may keep only the latest deletions; it
   * documents how many.
   */
  deleted(options?: CallOptions): Promise<readonly DeletedSkill[]>;

  /**
   * Restores a deleted skill at its path, byte for byte. Afterwards it no longer counts as deleted.
   * @throws SkillError `SKILL_NOT_FOUND` where no skill of that name was deleted; `SKILL_EXISTS` where a skill of that
   * name, or something at its path, exists. Nothing is changed then.
   */
  restore(name: string, options?: RestoreOptions): Promise<Skill>;
}
