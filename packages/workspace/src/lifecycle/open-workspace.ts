import type { RuntimeWorkspace, WorkspaceInfo } from "@skillwright/core";
import type { ContentLease, TaskQueue } from "@skillwright/core/adapter";
import type { RunMemory } from "../run/run-memory.js";

/** A workspace that this process works with. */
export interface OpenWorkspace {
  readonly runtime: RuntimeWorkspace;
  info: WorkspaceInfo;
  readonly runs: TaskQueue;
  readonly uploads: TaskQueue;
  /** Its leases in the content store, by skill. */
  readonly leases: Map<string, ContentLease>;
  readonly memory: RunMemory;
  /** Fires when the workspace is destroyed or the manager closed, and ends the run in progress. */
  readonly ending: AbortController;
  /** Number of calls in progress. */
  busy: number;
  isPaused: boolean;
  /** Staged skills that a run has already reported as broken at their source. */
  readonly toldBroken: Set<string>;
  /** A policy's action in progress, which calls wait for. Never rejects. */
  acting: Promise<void> | undefined;
}
