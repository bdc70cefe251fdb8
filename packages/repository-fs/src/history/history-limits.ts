/** How many earlier versions of a skill are kept. */
export interface HistoryLimits {
  /** Defaults to 32. */
  readonly versions?: number | undefined;
  /** Total bytes of them. Defaults to 64 MiB. */
  readonly bytes?: number | undefined;
}
