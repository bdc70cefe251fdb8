/**
 * The directories of a workspace, relative to its root. In a sandbox the root and `skills/` are read-only, the others
 * writable.
 */
export const WORKSPACE_LAYOUT = {
  /** One read-only directory per staged skill. */
  skills: "skills",
  /** Scratch directory; also HOME of every command. */
  work: "work",
  /** Uploads and declared inputs. */
  inputs: "work/inputs",
  /** Directory from which outputs are collected. */
  out: "out",
  /** One directory per run. */
  runs: "runs",
} as const;

/** Links that every staged skill gets, so that `inputs/a.csv` and `out/b.md` work from its own directory. */
export const SKILL_LINKS: Readonly<Record<string, string>> = {
  out: "../../out",
  work: "../../work",
  inputs: "../../work/inputs",
};
