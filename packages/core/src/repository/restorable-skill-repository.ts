import type { CallOptions } from "../closable.js";
import type { Skill } from "../skill/skill.js";
import type { WritableSkillRepository } from "./skill-repository.js";

export interface DeletedSkill {
  readonly name: string;
  /** Where it was, and will be again. */
  readonly path: string;
  /** ISO 8601. */
  readonly deletedAt: string;
}

export interface RestoreOptions extends CallOptions {
  /** Which of several deletions; the last by default. */
  readonly deletedAt?: string | undefined;
}

/** A writable repository whose deletions can be undone. Held by `testRestorableSkillRepository`. */
export interface RestorableSkillRepository extends WritableSkillRepository {
  /** What can be restored, deleted last first. An adapter may keep only the last ones, and says how many. */
  deleted(options?: CallOptions): Promise<readonly DeletedSkill[]>;

  /**
   * Puts a deleted skill back where it was, byte for byte; from then on it counts as deleted no more.
   * @throws SkillError `SKILL_NOT_FOUND` where none of that name was deleted; `SKILL_EXISTS` where a skill of that name,
   *   or something at its path, is there by now. Nothing is changed then.
   */
  restore(name: string, options?: RestoreOptions): Promise<Skill>;
}
