import { soak as workers } from "../soak/soak.mjs";

/** What it needs, by the names of test/needs/needs.ts. */
export const needs = ["bubblewrap"];

const MINUTES = 10;

/**
 * Random work on shared workspaces by 8 workers in 2 processes, which are killed now and then. At the end nothing that was
 * acknowledged may be lost, and nothing left.
 */
export async function soak({ seed, share }) {
  const minutes = MINUTES * share;
  if (!(await workers({ minutes, seed, keep: false }))) throw new Error("work was lost or left behind");
  return `${minutes} minutes, nothing lost, nothing left`;
}
