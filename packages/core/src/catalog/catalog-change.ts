/** A skill that came, went, or is another than before. */
export interface SkillChange {
  readonly kind: "added" | "removed" | "changed";
  readonly name: string;
  /** The source it is from; of a removed one, the source it was from. */
  readonly source: string;
}

/** What a listener of the catalogue is told. */
export interface CatalogChange {
  /** Sorted by name; empty where it was nothing about a skill, such as a source that failed. */
  readonly skills: readonly SkillChange[];
  /** False where more may have changed than is told here; the next snapshot knows. */
  readonly complete: boolean;
}
