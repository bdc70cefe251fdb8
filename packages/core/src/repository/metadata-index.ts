import type { CallOptions, Closable } from "../closable.js";
import type { BrokenSkill, SkillSummary } from "../skill/skill.js";

export interface IndexedSummaries {
  readonly formatVersion: 1;
  /** Grows with every change; never goes back while the index exists. */
  readonly revision: number;
  readonly skills: readonly SkillSummary[];
  readonly broken: readonly BrokenSkill[];
}

/**
 * What is put wins over what is gone: a path in `put` or `putBroken` is there afterwards, whatever `remove` says. One in both
 * `put` and `putBroken` is a broken one afterwards; of two entries of one list for one path the later stays.
 */
export interface IndexChange {
  /** The revision the change was made from; `undefined` for "there is no index yet". */
  readonly from: number | undefined;
  readonly put: readonly SkillSummary[];
  readonly putBroken?: readonly BrokenSkill[];
  /** Paths that are gone. */
  readonly remove: readonly string[];
}

/** A repository's summaries where many processes read them in one round trip. It may be lost without loss: it is rebuilt. */
export interface MetadataIndex extends Closable {
  /** Everything in one round trip; `undefined` where nothing was written yet. */
  read(options?: CallOptions): Promise<IndexedSummaries | undefined>;

  /**
   * Applies the change and returns the new revision.
   * @throws SkillError `CONFLICT` when the index is not at `change.from`; read again and retry.
   */
  write(change: IndexChange, options?: CallOptions): Promise<number>;

  /** Calls the listener with each new revision, and once after a lost connection came back. */
  subscribe(listener: (revision: number) => void): Promise<Closable>;
}
