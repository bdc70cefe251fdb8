import type { CallOptions, Closable } from "../closable.js";
import type { BrokenSkill, SkillSummary } from "../skill/skill.js";

export interface IndexedSummaries {
  readonly formatVersion: 1;
  /** Increases with every change; never decreases while the index exists. */
  readonly revision: number;
  readonly skills: readonly SkillSummary[];
  readonly broken: readonly BrokenSkill[];
}

/**
 * A change of the index. `put` and `putBroken` win over `remove`: a path in one of them is present afterwards. A path
 * in both is a broken entry afterwards. Where one list has two entries for a path, the later one stays.
 */
export interface IndexChange {
  /** The revision that the change is based on; `undefined` where there is no index yet. */
  readonly from: number | undefined;
  readonly put: readonly SkillSummary[];
  readonly putBroken?: readonly BrokenSkill[];
  /** Paths to remove. */
  readonly remove: readonly string[];
}

/**
 * A repository's summaries, stored where many processes can read them in one round trip. Losing it is harmless: it is
 * rebuilt.
 */
export interface MetadataIndex extends Closable {
  /** Reads everything in one round trip; `undefined` where nothing was written yet. */
  read(options?: CallOptions): Promise<IndexedSummaries | undefined>;

  /**
   * Applies the change and returns the new revision.
   * @throws SkillError `CONFLICT` when the index is not at `change.from`; read again and retry.
   */
  write(change: IndexChange, options?: CallOptions): Promise<number>;

  /** Calls the listener with each new revision, and once after a lost connection was restored. */
  subscribe(listener: (revision: number) => void): Promise<Closable>;
}
