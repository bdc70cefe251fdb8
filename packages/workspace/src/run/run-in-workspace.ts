import { type CollectedFile, type RunResult, SkillError, type WorkspaceRunResult } from "@skillwright/core";
import {
  checkAborted,
  run as runCommand,
  type SecretMasking,
  secretMasking,
  withSpan,
} from "@skillwright/core/adapter";
import { collectOutputs } from "../collect/collect-outputs.js";
import type { Collection } from "../collect/collection.js";
import { listOutputs } from "../collect/list-outputs.js";
import type { OutputPlan } from "../collect/output-plan.js";
import { selectOutputs } from "../collect/select-outputs.js";
import { withoutSecretNames } from "../collect/without-secret-names.js";
import { startingInteractive } from "../interactive/interactive-runs.js";
import type { OpenWorkspace } from "../lifecycle/open-workspace.js";
import { begunRun, noteBegun } from "./begun-run.js";
import { outputEvents } from "./output-events.js";
import type { RunPlan } from "./plan-run.js";
import { type PreparedRun, prepareRun, type RunCall } from "./prepare-run.js";

/** Executes one run, from staging to outputs. Call it in the workspace's turn. */
export async function runInWorkspace(
  workspace: OpenWorkspace,
  plan: RunPlan,
  call: RunCall,
): Promise<WorkspaceRunResult> {
  checkAborted(call.signal);
  const { key } = call;
  const begun = key === undefined ? undefined : await begunRun(workspace.runtime, plan, call);
  const prepared = begun ?? (await prepareRun(workspace, plan, call));
  if (key !== undefined && !begun) await noteBegun(workspace.runtime, prepared, call);
  const masking = secretMasking(prepared.command.env);
  const result = await execute(workspace, prepared, call);
  const outputs = plan.outputs
    ? await gather(workspace, plan, plan.outputs, prepared, result, {
        ...call,
        masking,
        isRepeated: begun !== undefined,
      })
    : [];
  return {
    ...result,
    workspaceId: workspace.info.id,
    cwd: prepared.command.cwd,
    outputs: outputs.map((file) => withMaskedContent(file, masking)),
    diagnostics: [
      ...result.diagnostics,
      ...(plan.outputs?.diagnostics ?? []),
      ...call.diagnostics.all().map(masking.diagnostic),
    ],
  };
}

function withMaskedContent(file: CollectedFile, masking: SecretMasking): CollectedFile {
  return file.content === undefined ? file : { ...file, content: masking.text(file.content) };
}

async function execute(
  { runtime }: OpenWorkspace,
  { skill, command }: PreparedRun,
  { signal, emit, isHeard, eventLimits, interactive }: RunCall,
): Promise<RunResult> {
  const { runId, cwd } = command;
  const attributes = { workspaceId: runtime.id, runId, ...(skill ? { skill: skill.name } : {}) };
  return await withSpan("workspace.run", attributes, async (set) => {
    const events = isHeard ? outputEvents(runId, emit, eventLimits) : undefined;
    emit({ type: "run.started", runId, command: command.command, cwd });
    const starting = interactive ? startingInteractive(runtime, interactive) : runtime;
    const result = await runCommand(starting, command, { signal, onOutput: events?.hear }).catch(
      (error: unknown) => {
        throw SkillError.is(error, "FILE_NOT_FOUND") ? noDirectory(cwd, error) : error;
      },
    );
    events?.end();
    const { exitCode, timedOut, aborted, treeEnded, durationMs, isolation, limits, peakMemoryBytes } = result;
    const bytes = { stdoutBytes: result.stdout.totalBytes, stderrBytes: result.stderr.totalBytes };
    const outcome = timedOut ? "timeout" : aborted ? "aborted" : exitCode === 0 ? "success" : "failure";
    set({ outcome, exitCode, timedOut, aborted, treeEnded, isolation: isolation.level, ...bytes });
    const by = `${isolation.level} (${isolation.by})`;
    const held = { isolation: by, limits, peakMemoryBytes };
    emit({ type: "run.ended", runId, exitCode, timedOut, durationMs, ...held });
    return result;
  });
}

function noDirectory(cwd: string, cause: SkillError): SkillError {
  return new SkillError(
    "FILE_NOT_FOUND",
    `There is no directory ${cwd} in the workspace, so nothing ran. Create it first, or leave cwd out to run in the ` +
      "skill's own directory.",
    { cause, details: { path: cwd } },
  );
}

/** The command has run: all later problems are reported in the result. */
async function gather(
  { runtime, info }: OpenWorkspace,
  { runId }: RunPlan,
  outputs: OutputPlan,
  { skill, before, inputArtifacts }: PreparedRun,
  result: RunResult,
  call: RunCall & Pick<Collection, "isRepeated"> & { readonly masking: SecretMasking },
): Promise<readonly CollectedFile[]> {
  const { signal, diagnostics, artifacts, scope, emit, isRepeated, masking } = call;
  const tell = diagnostics.add;
  // After an abort no caller reads contents; only the names of the outputs are returned.
  const stopped = result.aborted || signal?.aborted === true;
  if (stopped && (outputs.inline || outputs.save)) tell(namesOnly());
  const plan = stopped ? { ...outputs, inline: false, save: false } : outputs;
  const options = { signal: stopped ? undefined : signal, tell };
  const failed = result.exitCode !== 0 || result.timedOut || result.aborted;
  const metadata = {
    runId,
    workspaceId: info.id,
    ...(skill ? { skill: skill.name, skillDigest: skill.digest } : {}),
    ...(inputArtifacts.length > 0 ? { inputs: JSON.stringify(inputArtifacts) } : {}),
  };
  const collection = { workspace: runtime, plan, artifacts, scope, metadata, emit, isRepeated, ...options };
  try {
    return await withSpan("workspace.collect", { workspaceId: runtime.id, runId }, async (set) => {
      const after = await listOutputs(runtime, plan, options);
      const matching = selectOutputs(plan, { before, after, failed }, tell);
      const selected = withoutSecretNames(matching, masking, tell);
      const files = await collectOutputs(selected, collection);
      set({ files: files.length, artifacts: files.filter(({ artifact }) => artifact).length });
      return files;
    });
  } catch (error) {
    const { message } = SkillError.from(error, "Collecting");
    const hint =
      "The files that were created are still in the workspace: list them instead of running the command again.";
    tell({ code: "output.collect-failed", severity: "error", message, hint });
    return [];
  }
}

function namesOnly() {
  return {
    code: "output.aborted",
    severity: "warning",
    message: "The run was aborted, so its outputs are listed but neither returned inline nor saved.",
    hint: "Read or save the files from the workspace.",
  } as const;
}
