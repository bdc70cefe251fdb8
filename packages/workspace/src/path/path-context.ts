import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import type { PathContext } from "./locate-path.js";

/** The variables of one run, or of a call outside a run, where `$RUN_DIR` and `$SKILL_DIR` are undefined. */
export function pathContext(
  root: string,
  run: { runId?: string; skill?: string | undefined } = {},
): PathContext {
  return {
    root,
    variables: {
      WORKSPACE_DIR: ".",
      SKILLS_DIR: WORKSPACE_LAYOUT.skills,
      WORK_DIR: WORKSPACE_LAYOUT.work,
      OUTPUT_DIR: WORKSPACE_LAYOUT.out,
      INPUTS_DIR: WORKSPACE_LAYOUT.inputs,
      ...(run.runId === undefined ? {} : { RUN_DIR: `${WORKSPACE_LAYOUT.runs}/${run.runId}` }),
      ...(run.skill === undefined ? {} : { SKILL_DIR: `${WORKSPACE_LAYOUT.skills}/${run.skill}` }),
    },
  };
}
