import type { CallOptions, RuntimeWorkspace } from "@skillwright/core";
import type { PausableWorkspace } from "@skillwright/core/adapter";
import { workspaceNotFound } from "../pod/pod-names.js";

export interface PauseMeans {
  /** True while the workspace has the pod that this process knows: another process may have paused it since. */
  exists(options: CallOptions): Promise<boolean>;
  pause(options: CallOptions): Promise<void>;
  /** The workspace in its new pod; `undefined` where there is none any more. */
  resume(options: CallOptions): Promise<RuntimeWorkspace | undefined>;
}

/** A workspace that has another pod after each pause. Every use resumes it. */
export function pausableWorkspace(first: RuntimeWorkspace, means: PauseMeans): PausableWorkspace {
  const { id, root } = first;
  let now: Promise<RuntimeWorkspace> | undefined = Promise.resolve(first);

  async function resume(options: CallOptions): Promise<void> {
    const there = means.resume(options).then((found) => {
      if (!found) throw workspaceNotFound(id);
      return found;
    });
    now = there;
    await there.catch((error: unknown) => {
      if (now === there) now = undefined;
      throw error;
    });
  }

  async function use<T>(
    work: (there: RuntimeWorkspace) => Promise<T> | undefined,
    options: CallOptions = {},
  ): Promise<T> {
    if (!now || !(await means.exists(options))) await resume(options);
    return (await work(await (now as Promise<RuntimeWorkspace>))) as T;
  }

  return {
    ...{ id, root, copiesSkills: true },
    stage: (skill, options) => use((there) => there.stage(skill, options), options),
    unstage: (name, options) => use((there) => there.unstage(name, options), options),
    staged: (options) => use((there) => there.staged(options), options),
    note: (key, text, options) => use((there) => there.note?.(key, text, options), options),
    notes: (options) => use((there) => there.notes?.(options), options),
    start: (command, options) => use((there) => there.start(command, options), options),
    runOf: (runId, options) => use((there) => there.runOf(runId, options), options),
    put: (entries, options) => use((there) => there.put(entries, options), options),
    get: (path, options) => use((there) => there.get(path, options), options),
    link: (path, to, options) => use((there) => there.link?.(path, to, options), options),
    remove: (path, options) => use((there) => there.remove?.(path, options), options),
    list: (path, options) => use((there) => there.list(path, options), options),
    pause: async (options = {}) => {
      if (!now || !(await means.exists(options))) return;
      await means.pause(options);
      now = undefined;
    },
    resume: (options = {}) => resume(options),
  };
}
