/** A skill that was added, removed or changed. */
export interface SkillChange {
  readonly kind: "added" | "removed" | "changed";
  readonly name: string;
  /** Source of the skill. For a removed skill, the source that it had. */
  readonly source: string;
}

/** The event passed to listeners of the catalogue. */
export interface CatalogChange {
  /** Sorted by name. Empty where the change is not about skills, for example when a source failed. */
  readonly skills: readonly SkillChange[];
  /** False where more may have changed than is listed here; the next snapshot has it all. */
  readonly complete: boolean;
}
