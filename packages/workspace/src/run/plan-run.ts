import type { WorkspaceRun } from "@skillwright/core";
import { type OutputPlan, outputPlan } from "../collect/output-plan.js";
import { type PlannedInput, planInputs } from "../inputs/plan-inputs.js";
import type { PathContext } from "../path/locate-path.js";
import { pathContext } from "../path/path-context.js";
import { checkRun } from "./check-run.js";
import type { RunRules } from "./run-rules.js";

/** A run, validated as far as possible without reading skills or files. */
export interface RunPlan {
  readonly run: WorkspaceRun;
  readonly runId: string;
  readonly timeoutMs: number;
  readonly paths: PathContext;
  readonly rules: RunRules;
  readonly inputs: readonly PlannedInput[];
  /** Missing where no outputs are requested. */
  readonly outputs: OutputPlan | undefined;
}

/** @throws SkillError for every mistake that can be detected before the run's turn. */
export function planRun(run: WorkspaceRun, root: string, runId: string, rules: RunRules): RunPlan {
  const { timeoutMs } = checkRun(run, rules);
  const paths = pathContext(root, { runId, skill: run.skill });
  const inputs = run.inputs ? planInputs(run.inputs, paths) : [];
  return { run, runId, timeoutMs, paths, rules, inputs, outputs: outputPlan(run.outputs, paths) };
}
