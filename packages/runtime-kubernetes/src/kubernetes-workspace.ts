import { randomBytes } from "node:crypto";
import { type CallOptions, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { checkAborted, type RunCommand, type RunHandle, spanned } from "@skillwright/core/adapter";
import { NO_BASH } from "./capabilities/measure.js";
import type { RunCapabilities } from "./capabilities/measured-record.js";
import type { Cluster } from "./cluster/cluster.js";
import { fileSessions } from "./files/file-sessions.js";
import { workspaceFiles } from "./files/workspace-files.js";
import { isAlive, type Pod } from "./pod/pod.js";
import { LABELS, ROOT, workspaceNotFound } from "./pod/pod-names.js";
import type { WorkspacePods } from "./pod/workspace-pods.js";
import { answers } from "./run/answers.js";
import type { LiveRuns } from "./run/live-runs.js";
import type { RunMeans } from "./run/run-plan.js";
import { runStreams } from "./run/run-streams.js";
import { runOf, startRun } from "./run/start-run.js";
import { workspaceSkills } from "./staging/workspace-skills.js";
import { podEnd } from "./workspace/pod-end.js";
import { podFate } from "./workspace/pod-fate.js";
import { podRecord } from "./workspace/pod-record.js";

export interface WorkspaceMeans {
  readonly cluster: Cluster;
  readonly pods: WorkspacePods;
  readonly live: LiveRuns;
  readonly leaseMs: number;
  /** Fires when the runtime is closed. */
  readonly closed: AbortSignal;
  /** What this process measured; before that, what another process recorded on this pod. */
  capabilities(pod: Pod, options: CallOptions): Promise<RunCapabilities>;
  checkOpen(): void;
}

export interface OpenedWorkspace {
  readonly workspace: RuntimeWorkspace;
  /** Resolves where commands can run in the pod. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
  answers(options: CallOptions): Promise<void>;
  /** Resolves when the supervisor of a pod that is known to work has answered. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
  reached(options: CallOptions): Promise<void>;
  /** Opens connections that are likely to be needed. */
  prepare(): void;
  /** What a command prints, before anything is known about the pod. @throws SkillError `ISOLATION_UNAVAILABLE`. */
  printed(text: string): Promise<string>;
  /** Closes its connections. */
  close(): void;
}

const MEASURING_MS = 30_000;
const MOST_PRINTED = 1024 * 1024;

/** One workspace in its pod. Keeps nothing in memory that another process would need. */
export function kubernetesWorkspace(id: string, pod: Pod, means: WorkspaceMeans): OpenedWorkspace {
  const { cluster, pods, live, leaseMs, closed, capabilities, checkOpen } = means;
  const streams = runStreams(cluster, pod);
  const sessions = fileSessions(cluster, pod.metadata.name, streams.open);
  const record = podRecord(pods, id, pod);
  const files = workspaceFiles(sessions);
  const skills = workspaceSkills(sessions, record);

  async function during<T>(options: CallOptions, work: () => Promise<T>): Promise<T> {
    checkOpen();
    checkAborted(options.signal);
    try {
      return await work();
    } catch (error) {
      checkAborted(options.signal);
      throw await meaning(error);
    }
  }

  /** A pod that goes away during a call can make it fail in many ways; all of them become the same error. */
  async function meaning(error: unknown): Promise<SkillError> {
    if (SkillError.is(error) && error.code !== "BACKEND_FAILED" && error.code !== "CLOSED") return error;
    const there = await pods.look(pod, {}).catch(() => pod);
    return there && isAlive(there)
      ? SkillError.from(error, `Working in the workspace ${id}`)
      : workspaceNotFound(id, podEnd(there));
  }

  /** Its containers may live on for a moment after the pod was removed. */
  async function there<T>(options: CallOptions, work: () => Promise<T>, forMs = 0): Promise<T> {
    const kept = during(options, () => pods.keep(id, pod, forMs, options));
    const [done] = await Promise.all([
      during(options, work),
      during(options, () => record.pod(options)),
      kept,
    ]);
    return done;
  }

  const isOpen = pod.metadata.labels?.[LABELS.network] === "open";
  const fate = () => podFate(pods, pod, { reach: (options) => answers(streams, options), closed });

  async function runMeans(options: CallOptions): Promise<RunMeans> {
    const { isolation, networkOff, diagnostics = [] } = await capabilities(pod, options);
    const ofShell = diagnostics.filter(({ code }) => code === NO_BASH);
    return { isolation, networkOff: networkOff && !isOpen, ofShell, leaseMs, closed };
  }

  async function started(command: RunCommand, options: CallOptions): Promise<RunHandle> {
    const call = { ...options, fate, means: await runMeans(options) };
    return await live.start(id, () => startRun(streams, command, call));
  }

  async function printed(text: string): Promise<string> {
    const isolation = { level: "container", by: "Kubernetes" } as const;
    const command = {
      runId: `measuring-${randomBytes(8).toString("hex")}`,
      command: text,
      cwd: ".",
      env: {},
      timeoutMs: MEASURING_MS,
      maxOutputBytes: MOST_PRINTED,
    };
    const handle = await startRun(streams, command, {
      fate,
      means: { isolation, networkOff: false, ofShell: [], leaseMs, closed },
    });
    const { exitCode, stdout, stderr } = await handle.result;
    await files.remove(`runs/${command.runId}`, {});
    if (exitCode === 0) return stdout.text;
    throw new SkillError(
      "ISOLATION_UNAVAILABLE",
      `Commands cannot run in the pod of the workspace ${id}: ${stderr.text.trim().slice(0, 300)}. Check the image.`,
    );
  }

  const workspace: RuntimeWorkspace = {
    id,
    root: ROOT,
    copiesSkills: true,
    stage: (skill, options = {}) => during(options, () => skills.stage(skill, options)),
    unstage: (name, options = {}) => during(options, () => skills.unstage(name, options)),
    staged: (options = {}) => during(options, () => record.staged(options)),
    note: (key, text, options = {}) => during(options, () => record.note(key, text, options)),
    notes: (options = {}) => during(options, () => record.notes(options)),
    start: (command, options = {}) =>
      there(options, () => started(command, options), command.timeoutMs + leaseMs),
    runOf: (runId, options = {}) =>
      during(
        options,
        async () => await runOf(streams, runId, { ...options, fate, means: await runMeans(options) }),
      ),
    put: (entries, options = {}) => there(options, () => files.put(entries, options)),
    get: (path, options = {}) => there(options, () => files.get(path, options)),
    link: (path, to, options = {}) => there(options, () => files.link(path, to, options)),
    remove: (path, options = {}) => there(options, () => files.remove(path, options)),
    list: (path, options = {}) => there(options, () => files.list(path, options)),
  };
  return {
    workspace: spanned("runtime.workspace", workspace, { runtime: "kubernetes" }),
    answers: (options) => answers(streams, options),
    reached: async (options) => void (await streams.open(options)),
    prepare: sessions.prepare,
    printed,
    close: () => {
      sessions.close();
      streams.close();
    },
  };
}
