import type {
  ArtifactScope,
  ArtifactStore,
  CallOptions,
  ContentStore,
  RunEventListener,
  SkillCatalog,
  WorkspaceRunOptions,
} from "@skillwright/core";
import {
  type FileStat,
  type RunCommand,
  type RunEventLimits,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import type { Bootstrapper } from "../bootstrap/bootstrapper.js";
import { listOutputs } from "../collect/list-outputs.js";
import type { Environments } from "../environment/environments.js";
import { stageInputs } from "../inputs/stage-inputs.js";
import type { InteractiveStart } from "../interactive/interactive-runs.js";
import type { OpenWorkspace } from "../lifecycle/open-workspace.js";
import { runDirectory } from "../path/run-directory.js";
import { stageSkill } from "../stage/stage-skill.js";
import { commandOfRun } from "./command-of-run.js";
import type { DiagnosticList } from "./diagnostic-list.js";
import type { RunPlan } from "./plan-run.js";
import { removeOldRuns } from "./remove-old-runs.js";

/** What a run needs besides its workspace. */
export interface RunCall extends CallOptions {
  readonly skills: SkillCatalog;
  readonly artifacts: ArtifactStore | undefined;
  readonly content: ContentStore | undefined;
  readonly bootstrap: Bootstrapper | undefined;
  readonly environments: Environments;
  readonly approveInstall: WorkspaceRunOptions["approveInstall"];
  readonly hostRoots: readonly string[];
  /** The run is done once for it. */
  readonly key?: string | undefined;
  /** Given for a run whose input arrives while it is in progress. */
  readonly interactive?: InteractiveStart | undefined;
  /** Digests by name at the start of the run's turn. */
  readonly staged: ReadonlyMap<string, string>;
  /** Scope of the artifacts. */
  readonly scope: ArtifactScope | undefined;
  readonly emit: RunEventListener;
  /** False where nobody hears the events, so that output need not be read while the command runs. */
  readonly isHeard: boolean;
  readonly eventLimits?: RunEventLimits | undefined;
  readonly diagnostics: DiagnosticList;
}

export interface PreparedRun {
  readonly skill: { readonly name: string; readonly digest: string } | undefined;
  readonly command: RunCommand;
  /** Artifacts staged as inputs, as `name@version`. */
  readonly inputArtifacts: readonly string[];
  /** The files that outputs may match, before the command. */
  readonly before: ReadonlyMap<string, Pick<FileStat, "mark">>;
}

/**
 * Stages the skill, prepares the workspace and stages the inputs.
 * @throws SkillError as `Workspaces.run` promises; the command has not run then.
 */
export async function prepareRun(
  workspace: OpenWorkspace,
  plan: RunPlan,
  call: RunCall,
): Promise<PreparedRun> {
  const { signal, emit } = call;
  const { runtime, memory } = workspace;
  const tell = call.diagnostics.add;
  const { skill: name, resolved: known, cwd: directory } = plan.run;
  const stage = (name: string, staged?: RunCall["staged"]) => {
    const resolved = known?.find((one) => one.name === name);
    return stageSkill(name, {
      ...call,
      resolved,
      staged,
      workspace: runtime,
      leases: workspace.leases,
      tell,
    });
  };
  const skill = name === undefined ? undefined : await stage(name, call.staged);
  const cwd = runDirectory(
    directory,
    skill && { name: skill.name, files: skill.manifest.files.map((file) => file.path) },
    plan.paths,
  );
  const environments = await call.environments(workspace, skill, { ...call, tell });
  await call.bootstrap?.(workspace, skill, { bestEffort: plan.run.bestEffort, signal, emit, tell });
  const places = {
    ...call,
    workspace: runtime,
    paths: plan.paths,
    resolved: known,
    stage,
    taken: memory.taken,
    emit,
    tell,
  };
  const inputArtifacts = plan.inputs.length > 0 ? await stageInputs(plan.inputs, places) : [];
  // After the inputs, which may be read from an earlier run's directory.
  await removeOldRuns(runtime, memory, plan.runId, { signal, tell });
  await makeRunDirectory(workspace, cwd, plan.runId, call);
  const command = await commandOfRun(plan, {
    skill,
    environments,
    cwd,
    workspace: runtime,
    memory,
    ...{ key: call.key, eventLimits: call.eventLimits, signal, tell },
  });
  // Listed last, so that files put there by the preparation are not taken for outputs of the command.
  const before = plan.outputs ? await listOutputs(runtime, plan.outputs, { signal, tell }) : new Map();
  return { skill, command, inputArtifacts, before };
}

/**
 * A run's own directory exists only once the run has started; a command that starts in it needs it earlier.
 */
async function makeRunDirectory(
  { runtime }: OpenWorkspace,
  cwd: string,
  runId: string,
  { signal }: RunCall,
): Promise<void> {
  const own = `${WORKSPACE_LAYOUT.runs}/${runId}`;
  if (cwd !== own && !cwd.startsWith(`${own}/`)) return;
  // The port creates directories only for files.
  await runtime.put([{ path: `${cwd}/.keep`, content: "" }], { signal });
}
