import type { DeletedSkill } from "@skillwright/core/adapter";
import type { StoredFiles } from "./stored-files.js";

const MAX_KEPT = 32;

interface KeptSkill extends DeletedSkill {
  readonly files: StoredFiles;
}

/** The most recently deleted skills, with their files. */
export interface DeletedSkills {
  add(skill: Omit<KeptSkill, "deletedAt">): void;
  /** Most recently deleted first. */
  list(): readonly KeptSkill[];
  find(name: string, deletedAt: string | undefined): KeptSkill | undefined;
  /** Removes the skill from the list. */
  take(skill: KeptSkill): void;
}

export function deletedSkills(): DeletedSkills {
  let kept: readonly KeptSkill[] = [];
  let lastTime = 0;

  return {
    add(skill) {
      // Times are unique, since they identify the deletion.
      lastTime = Math.max(Date.now(), lastTime + 1);
      kept = [{ ...skill, deletedAt: new Date(lastTime).toISOString() }, ...kept].slice(0, MAX_KEPT);
    },
    list: () => kept,
    find: (name, deletedAt) =>
      kept.find((skill) => skill.name === name && (deletedAt === undefined || skill.deletedAt === deletedAt)),
    take(skill) {
      kept = kept.filter((other) => other !== skill);
    },
  };
}
