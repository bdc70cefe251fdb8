/** The result of one check. Only `missing` prevents skills from running. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "limited" | "missing";
  readonly message: string;
  /** What to do about it; lines that belong to the finding follow in `details`. */
  readonly remedy?: string;
  readonly details?: readonly string[];
}
