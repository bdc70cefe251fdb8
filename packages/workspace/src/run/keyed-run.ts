import { createHash } from "node:crypto";
import { type CallOptions, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { MAX_OUTPUT_BYTES } from "./command-of-run.js";
import { planRun, type RunPlan } from "./plan-run.js";
import type { PreparedRun, RunCall } from "./prepare-run.js";
import { skillEnvironment } from "./skill-environment.js";

const NOTE = "keyed-runs";
/** Calls of one step of a model; more of them are hardly ever open when a process dies. */
const MOST_RUNS = 20;
const MOST_FILES = 500;

/** A run that another process, or an earlier call, has begun under the key of this call. */
export interface BegunRun {
  readonly plan: RunPlan;
  /** Missing where its command was not started. */
  readonly prepared: PreparedRun | undefined;
}

/**
 * Finds the run of the call's key. Call it in the workspace's turn.
 * @throws SkillError `BACKEND_FAILED` where its command may have run and the runtime does not know.
 */
export async function begunRun(
  runtime: RuntimeWorkspace,
  plan: RunPlan,
  call: RunCall,
): Promise<BegunRun | undefined> {
  const { key, signal } = call;
  if (key === undefined) return undefined;
  const noted = (await notedRuns(runtime, { signal }))[digest(key)];
  if (!noted) return undefined;
  if (!runtime.runOf) throw outcomeUnknown(noted.runId);
  const { runId, cwd, skill, inputArtifacts, before } = noted;
  const again = planRun(plan.run, runtime.root, runId, plan.rules);
  if (!(await runtime.runOf(key, { signal }))) return { plan: again, prepared: undefined };
  const { run, rules, timeoutMs } = again;
  const known = run.resolved?.find(({ name }) => name === run.skill);
  // Only for the secrets that are masked in what the command wrote.
  const env = { ...(await skillEnvironment(known, rules.environment, run.env, () => undefined)), ...run.env };
  const command = { runId, key, command: run.command, cwd, env, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
  return { plan: again, prepared: { skill, command, inputArtifacts, before: new Map(before) } };
}

/** Notes what a process that takes over needs, before the command starts. */
export async function noteBegun(
  runtime: RuntimeWorkspace,
  { skill, command, inputArtifacts, before }: PreparedRun,
  { key, signal }: RunCall,
): Promise<void> {
  if (key === undefined || !runtime.note) return;
  const { runId, cwd } = command;
  const others = Object.entries(await notedRuns(runtime, { signal })).slice(1 - MOST_RUNS);
  const noted: NotedRun = {
    ...{ runId, cwd, inputArtifacts },
    ...(skill && { skill: { name: skill.name, digest: skill.digest } }),
    // Without them, files that the run did not touch are collected with the others.
    before: before.size > MOST_FILES ? [] : [...before].map(([path, { mark }]) => [path, { mark }]),
  };
  await runtime.note(NOTE, JSON.stringify(Object.fromEntries([...others, [digest(key), noted]])), { signal });
}

interface NotedRun extends Pick<PreparedRun["command"], "runId" | "cwd"> {
  readonly skill?: PreparedRun["skill"];
  readonly inputArtifacts: readonly string[];
  readonly before: readonly (readonly [path: string, file: { readonly mark: string }])[];
}

async function notedRuns(
  runtime: RuntimeWorkspace,
  options: CallOptions,
): Promise<Readonly<Record<string, NotedRun>>> {
  const text = (await runtime.notes?.(options))?.get(NOTE);
  return text === undefined ? {} : (JSON.parse(text) as Record<string, NotedRun>);
}

/** Keys are not in the note as they are: they may be longer than what they stand for. */
function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

function outcomeUnknown(runId: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The process that ran this command ended, and the runtime does not know what became of it. It is not run again: look at the files it left before you repeat anything.",
    { details: { runId } },
  );
}
