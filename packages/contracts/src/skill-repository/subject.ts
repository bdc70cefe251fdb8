import type {
  RestorableSkillRepository,
  SkillRepository,
  VersionedSkillRepository,
  WritableSkillRepository,
} from "@skillwright/core";
import type { ContractPromise } from "../contract.js";
import type { SkillSeed } from "../seeds.js";

/** A repository, with a way to change its storage directly. */
export interface RepositorySubject {
  readonly repository: SkillRepository;
  /** Makes the storage contain exactly these skills, as another program would. */
  change(skills: SkillSeed): Promise<void>;
}

export interface WritableRepositorySubject {
  readonly repository: WritableSkillRepository;
}

export type VersionedRepository = VersionedSkillRepository & WritableSkillRepository;

export interface VersionedRepositorySubject {
  readonly repository: VersionedRepository;
}

export interface RestorableRepositorySubject {
  readonly repository: RestorableSkillRepository;
}

export type RepositoryPromise = ContractPromise<RepositorySubject, SkillSeed>;
export type WritableRepositoryPromise = ContractPromise<WritableRepositorySubject, SkillSeed>;
export type VersionedRepositoryPromise = ContractPromise<VersionedRepositorySubject, SkillSeed>;
export type RestorableRepositoryPromise = ContractPromise<RestorableRepositorySubject, SkillSeed>;
