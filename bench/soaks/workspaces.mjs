import { soak as workers } from "../soak/soak.mjs";

/** The programs that it requires, by the names of test/needs/needs.ts. */
export const needs = ["bubblewrap"];

const MINUTES = 10;

/**
 * Random operations on shared workspaces by 8 workers in 2 processes, which are killed now and then. At the end nothing that
 * was acknowledged may be lost, and nothing left over.
 */
export async function soak({ seed, share }) {
  const minutes = MINUTES * share;
  if (!(await workers({ minutes, seed, keep: false }))) throw new Error("work was lost or left behind");
  return `${minutes} minutes, nothing lost, nothing left`;
}
