/**
 * The directories of a workspace, relative to its root. In a sandbox the root and `skills/` are read-only, the others
 * writable.
 */
export const WORKSPACE_LAYOUT = {
  /** One read-only directory a staged skill. */
  skills: "skills",
  /** Scratch; also HOME of every command. */
  work: "work",
  /** Uploads and declared inputs. */
  inputs: "work/inputs",
  /** Outputs, collected from here. */
  out: "out",
  /** One directory a run. */
  runs: "runs",
} as const;

/** Links every staged skill gets, so that `inputs/a.csv` and `out/b.md` work from its own directory (TR-58). */
export const SKILL_LINKS: Readonly<Record<string, string>> = {
  out: "../../out",
  work: "../../work",
  inputs: "../../work/inputs",
};
