import type { SkillRepository, WritableSkillRepository } from "../../repository/skill-repository.js";
import type { ContractPromise } from "../contract.js";
import type { SkillSeed } from "../seeds.js";

/** A repository, and a hand that reaches behind its back. */
export interface RepositorySubject {
  readonly repository: SkillRepository;
  /** Makes the place hold exactly these skills, as somebody else would. */
  change(skills: SkillSeed): Promise<void>;
}

export interface WritableRepositorySubject {
  readonly repository: WritableSkillRepository;
}

export type RepositoryPromise = ContractPromise<RepositorySubject, SkillSeed>;
export type WritableRepositoryPromise = ContractPromise<WritableRepositorySubject, SkillSeed>;
