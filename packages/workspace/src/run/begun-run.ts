import type { CallOptions, RuntimeWorkspace } from "@skillwright/core";
import { MAX_OUTPUT_BYTES } from "./command-of-run.js";
import type { RunPlan } from "./plan-run.js";
import type { PreparedRun, RunCall } from "./prepare-run.js";
import { skillEnvironment } from "./skill-environment.js";

const NOTE = "begun-runs";
/** Calls of one step of a model; more of them are hardly ever open when a process dies. */
const MOST_RUNS = 20;
const MOST_FILES = 500;

/** The run of the call's key that another process, or an earlier call, has started. Call it in the workspace's turn. */
export async function begunRun(
  runtime: RuntimeWorkspace,
  { run, runId, rules, timeoutMs }: RunPlan,
  { signal }: RunCall,
): Promise<PreparedRun | undefined> {
  const noted = (await notedRuns(runtime, { signal }))[runId];
  if (!noted || !(await runtime.runOf(runId, { signal }))) return undefined;
  const { cwd, skill, inputArtifacts, before } = noted;
  const known = run.resolved?.find(({ name }) => name === run.skill);
  // Only for the secrets that are masked in what the command wrote.
  const env = { ...(await skillEnvironment(known, rules.environment, run.env, () => undefined)), ...run.env };
  const { command: text } = run;
  const command = { runId, keep: true, command: text, cwd, env, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
  return { skill, command, inputArtifacts, before: new Map(before) };
}

/** Notes what a process that takes over needs, before the command starts. */
export async function noteBegun(
  runtime: RuntimeWorkspace,
  { skill, command, inputArtifacts, before }: PreparedRun,
  { signal }: RunCall,
): Promise<void> {
  if (!runtime.note) return;
  const { runId, cwd } = command;
  const others = Object.entries(await notedRuns(runtime, { signal })).filter(([id]) => id !== runId);
  const noted: NotedRun = {
    ...{ cwd, inputArtifacts },
    ...(skill && { skill: { name: skill.name, digest: skill.digest } }),
    // Without them, files that the run did not touch are collected with the others.
    before: before.size > MOST_FILES ? [] : [...before].map(([path, { mark }]) => [path, { mark }]),
  };
  const all = Object.fromEntries([...others.slice(1 - MOST_RUNS), [runId, noted]]);
  await runtime.note(NOTE, JSON.stringify(all), { signal });
}

interface NotedRun extends Pick<PreparedRun["command"], "cwd"> {
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
