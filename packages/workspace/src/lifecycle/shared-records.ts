import {
  type CallOptions,
  type Diagnostic,
  SkillError,
  type WorkspaceRegistry,
  type WorkspaceRuntime,
} from "@skillwright/core";
import type { WorkspaceRecord } from "@skillwright/core/adapter";
import { damagedWorkspace } from "./damaged-workspace.js";
import { holdLease } from "./hold-lease.js";

/** Kinds of work that only one process at a time does in a workspace. The three kinds do not exclude each other. */
type SharedWork = "run" | "upload" | "lifecycle";

/** State of workspaces shared between processes. Without a registry nothing is shared. */
export interface SharedRecords {
  /** False without a registry. */
  readonly isShared: boolean;
  get(id: string, options?: CallOptions): Promise<WorkspaceRecord | undefined>;
  put(record: WorkspaceRecord): Promise<void>;
  /** Never rejects; errors are reported as diagnostics. */
  touch(id: string): Promise<void>;
  remove(id: string): Promise<boolean>;
  list(options?: CallOptions): Promise<readonly WorkspaceRecord[]>;
  /**
   * Runs the work while no other process does work of that kind in that workspace. Callers within one process must
   * serialize themselves. @throws SkillError `CONFLICT` after `waitMs` (default `Infinity`), `ABORTED`.
   * @param options.runId A run that the next holder of the lease ends where this process is killed.
   */
  alone<T>(
    id: string,
    kind: SharedWork,
    options: CallOptions & {
      waitMs?: number;
      tell?: (diagnostic: Diagnostic) => void;
      runId?: string | undefined;
    },
    work: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T>;
}

export function sharedRecords(
  registry: WorkspaceRegistry | undefined,
  runtime: WorkspaceRuntime,
  told: (diagnostic: Diagnostic) => void,
): SharedRecords {
  if (!registry) return notShared();

  async function touch(id: string): Promise<void> {
    await registry?.touch(id).catch((error: unknown) => told(touchFailed(id, error)));
  }

  return {
    isShared: true,
    get: (id, options) => registry.get(id, options),
    put: (record) => registry.put(record),
    touch,
    remove: (id) => registry.remove(id),
    list: (options) => registry.list(options),
    alone: ((id, kind, { signal, waitMs, tell = told, runId }, work) => {
      const finish = kind === "run" ? (left: string) => endRun(runtime, id, left) : undefined;
      return holdLease(registry, leaseKey(id, kind), { signal, waitMs, note: runId, finish, tell }, work);
    }) as SharedRecords["alone"],
  };
}

/** Ends a run whose host was killed, so that it does not go on beside the next one. */
async function endRun(runtime: WorkspaceRuntime, id: string, runId: string): Promise<void> {
  const workspace = await runtime.attach(id).catch(unlessDamaged);
  const run = await workspace?.runOf(runId);
  await run?.signal("SIGKILL");
  // Nobody is told how it ended.
  await run?.result.catch(() => undefined);
}

function unlessDamaged(error: unknown): undefined {
  if (!damagedWorkspace(error)) throw error;
}

function notShared(): SharedRecords {
  return {
    isShared: false,
    get: async () => undefined,
    put: async () => undefined,
    touch: async () => undefined,
    remove: async () => false,
    list: async () => [],
    alone: (_id, _kind, { signal }, work) => work(signal),
  };
}

/** Runs lease the id itself, so that other users of the registry who lease an id exclude them. */
function leaseKey(id: string, kind: SharedWork): string {
  return kind === "run" ? id : `${id}-${kind}`;
}

function touchFailed(id: string, error: unknown): Diagnostic {
  return {
    code: "registry.failed",
    severity: "warning",
    message: `The use of the workspace ${id} could not be registered: ${SkillError.from(error, "Touching").message}`,
    hint: "Other processes may treat it as idle. Check the registry.",
  };
}
