import {
  type ArtifactScope,
  type ArtifactStore,
  type CallOptions,
  type ContentStore,
  type FileStat,
  type RunEvent,
  type Skill,
  type SkillCatalog,
  WORKSPACE_LAYOUT,
} from "@skillwright/core";
import { listOutputs } from "../collect/list-outputs.js";
import { stageInputs } from "../inputs/stage-inputs.js";
import type { OpenWorkspace } from "../lifecycle/open-workspaces.js";
import { runDirectory } from "../path/run-directory.js";
import { stageSkill } from "../stage/stage-skill.js";
import type { DiagnosticList } from "./diagnostic-list.js";
import type { RunPlan } from "./plan-run.js";

/** What a run works with, beside its workspace. */
export interface RunCall extends CallOptions {
  readonly skills: SkillCatalog;
  readonly artifacts: ArtifactStore | undefined;
  readonly content: ContentStore | undefined;
  readonly hostRoots: readonly string[];
  /** Whose artifacts. */
  readonly scope: ArtifactScope | undefined;
  readonly emit: (event: RunEvent) => void;
  readonly diagnostics: DiagnosticList;
}

export interface PreparedRun {
  readonly skill: Skill | undefined;
  /** Relative to the workspace's root. */
  readonly cwd: string;
  /** Artifacts that were staged as inputs, as `name@version`. */
  readonly inputArtifacts: readonly string[];
  /** The files that outputs may match, as they are before the command. */
  readonly before: ReadonlyMap<string, FileStat>;
}

/** Stages the skill and the inputs. @throws SkillError as `Workspaces.run` promises; nothing ran then. */
export async function prepareRun(
  workspace: OpenWorkspace,
  plan: RunPlan,
  call: RunCall,
): Promise<PreparedRun> {
  const { skills, content, signal, emit } = call;
  const { runtime, leases } = workspace;
  const tell = call.diagnostics.add;
  const { skill: name, skillDigest: digest, cwd: directory } = plan.run;
  const skill =
    name === undefined
      ? undefined
      : await stageSkill(name, { digest, skills, content, workspace: runtime, leases, emit, tell, signal });
  const cwd = runDirectory(
    directory,
    skill && { name: skill.name, files: skill.manifest.files.map((file) => file.path) },
    plan.paths,
  );
  await makeRunDirectory(workspace, cwd, plan.runId, call);
  const places = { ...call, workspace: runtime, paths: plan.paths };
  const inputArtifacts = await stageInputs(plan.inputs, places, { emit, tell });
  // After the inputs, so that a file that was only put there is not taken for an output of the command.
  const before = plan.outputs ? await listOutputs(runtime, plan.outputs, { signal, tell }) : new Map();
  return { skill, cwd, inputArtifacts, before };
}

/** A run's own directory is there only once it has begun; a command that starts in it needs it before (TR-130). */
async function makeRunDirectory(
  { runtime }: OpenWorkspace,
  cwd: string,
  runId: string,
  { signal }: RunCall,
): Promise<void> {
  const own = `${WORKSPACE_LAYOUT.runs}/${runId}`;
  if (cwd !== own && !cwd.startsWith(`${own}/`)) return;
  // The port makes directories for files only.
  await runtime.put([{ path: `${cwd}/.keep`, content: "" }], { signal });
}
