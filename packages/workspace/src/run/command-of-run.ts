import type { CallOptions, CatalogSkill, Diagnostic, RuntimeWorkspace, Skill } from "@skillwright/core";
import type { RunCommand, RunEventLimits } from "@skillwright/core/adapter";
import type { StagedEnvironments } from "../environment/environments.js";
import { editorScript } from "./editor-script.js";
import { EVENT_BYTES } from "./output-events.js";
import type { RunPlan } from "./plan-run.js";
import { runEnvironment } from "./run-environment.js";
import type { RunMemory } from "./run-memory.js";
import { skillEnvironment } from "./skill-environment.js";
import { skillPrograms } from "./skill-programs.js";
import { hasVirtualEnvironment } from "./virtual-environment.js";

export const MAX_OUTPUT_BYTES = 1024 * 1024;
/** The most bytes of each stream that are recorded for a listener that is slower than the command. */
const MOST_LIVE_BYTES = 64 * 1024 * 1024;

/** Builds the command for the runtime, with all variables set, and writes the editor script. */
export async function commandOfRun(
  { run, runId, timeoutMs, rules }: RunPlan,
  place: CallOptions & {
    skill: (Skill & CatalogSkill) | undefined;
    environments: StagedEnvironments;
    cwd: string;
    workspace: RuntimeWorkspace;
    memory: RunMemory;
    key: string | undefined;
    eventLimits: RunEventLimits | undefined;
    tell: (diagnostic: Diagnostic) => void;
  },
): Promise<RunCommand> {
  const { skill, environments, cwd, workspace, memory, key, eventLimits, signal, tell } = place;
  const { root } = workspace;
  const all = { ...rules.limits, ...run.limits };
  const limits = Object.keys(all).length > 0 ? all : undefined;
  const probe = { runtime: workspace, memory, runId, limits, bestEffort: run.bestEffort, signal, tell };
  const isVirtual = skill !== undefined && (await hasVirtualEnvironment(skill, probe));
  const { programs, virtualEnvironment, gems } = skillPrograms(skill, isVirtual, environments);
  const variables = {
    ...(virtualEnvironment === undefined ? {} : { VIRTUAL_ENV: `${root}/${virtualEnvironment}` }),
    // The colon adds the machine's own gems.
    ...(gems === undefined ? {} : { GEM_HOME: `${root}/${gems}`, GEM_PATH: `${root}/${gems}:` }),
    ...(rules.environment && (await skillEnvironment(skill, rules.environment, run.env, tell))),
    ...(run.editorText !== undefined && (await editorScript(run.editorText, runId, place))),
    ...run.env,
  };
  return {
    runId,
    keep: key !== undefined,
    endsWithHost: run.endsWithHost,
    command: run.command,
    cwd,
    env: runEnvironment({ root, runId, skill: skill?.name }, variables),
    programs,
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    liveOutputBytes: Math.min(eventLimits?.bytes ?? EVENT_BYTES, MOST_LIVE_BYTES),
    stdin: run.stdin,
    network: run.network,
    limits,
    bestEffort: run.bestEffort,
  };
}
