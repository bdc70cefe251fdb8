import { randomBytes, randomUUID } from "node:crypto";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import {
  applyStateDeltas,
  type Diagnostic,
  type SessionScope,
  type SessionState,
  SkillError,
  type SkillTool,
  type StateDelta,
  type Workspaces,
} from "@skillwright/core";
import { delegate, taskQueue } from "@skillwright/core/adapter";
import { type StoredApprovals, skillTools, storedApprovals } from "@skillwright/tools";
import type { SkillServerOptions } from "../skill-server-options.js";

/** State that the client carries between the rounds of a call that waits for a person. */
export interface CallRound {
  readonly callId: string;
  /** Id of the question that was asked. */
  readonly question?: string;
  /** `asked` while the host is asked for its roots, then the folders about which the person is asked. */
  readonly roots?: "asked" | readonly string[];
}

/** The folders of the host from which inputs may come; `undefined` while the person has not been asked. */
interface AgreedRoots {
  folders: readonly string[] | undefined;
}

/** One client: its workspace, what it has loaded, and its calls. */
export interface HostSession {
  readonly scope: SessionScope;
  /** False for a user of a server, who has no access to its disk. */
  readonly isOfThisMachine: boolean;
  /** Signs the state that the client carries, with a key of this session only. */
  readonly rounds: RequestStateCodec<CallRound>;
  readonly tools: readonly SkillTool[];
  readonly roots: AgreedRoots;
  /** The session's questions to a person, and the answers that are valid until the session ends. */
  readonly approvals: StoredApprovals;
  readonly workspaces: Workspaces | undefined;
  /** Id of the session's workspace; `undefined` while no call has needed one. */
  workspace(): string | undefined;
  state(): SessionState;
  apply(delta: StateDelta): void;
  /**
   * Runs a call. Calls that change something run one after the other.
   * @throws SkillError `LIMIT_EXCEEDED` if too many calls are in progress; `ABORTED` if the client has gone.
   */
  call<T>(parallel: boolean, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Reports a problem of the connection. Does nothing after the connection was closed. */
  readonly report: (error: Error) => void;
  /** Call it when the connection is closed: it aborts the calls in progress. */
  readonly leave: () => void;
  /** Fires when the connection is closed. */
  readonly left: AbortSignal;
  /** Adds a function that is called when the session ends. */
  atEnd(close: () => unknown): void;
  /** Waits for the aborted calls to end, then destroys the workspace. */
  end(): Promise<void>;
}

const DEFAULT_CALLS = 64;

export function hostSession(options: SkillServerOptions, user?: string): HostSession {
  const { maxCalls = DEFAULT_CALLS, onDiagnostic } = options;
  const scope: SessionScope = { app: "mcp", user: user ?? "local", session: randomUUID() };
  const calls = new Set<Promise<unknown>>();
  const inOrder = taskQueue();
  let state: SessionState = {};
  const closers: (() => unknown)[] = [];
  const leaving = new AbortController();
  let workspace: string | undefined;
  const roots: AgreedRoots = { folders: undefined };
  const workspaces = options.workspaces && noted(options.workspaces, (id) => (workspace = id), roots);

  const approvals = storedApprovals();

  return {
    scope,
    isOfThisMachine: user === undefined,
    roots,
    approvals,
    tools: sessionTools(options, workspaces, approvals),
    rounds: createRequestStateCodec<CallRound>({ key: randomBytes(32), ttlSeconds: 24 * 60 * 60 }),
    workspaces,
    workspace: () => workspace,
    state: () => state,
    apply: (delta) => {
      state = applyStateDeltas(state, [delta]);
    },
    async call(parallel, signal, work) {
      if (leaving.signal.aborted) throw new SkillError("ABORTED", "The client has gone.");
      if (calls.size >= maxCalls) throw tooMany(maxCalls);
      const made = parallel ? work() : inOrder.run(work, signal);
      calls.add(made);
      try {
        return await made;
      } finally {
        calls.delete(made);
      }
    },
    report: (error) => {
      if (!leaving.signal.aborted) onDiagnostic?.(clientProblem(error));
    },
    leave: () => leaving.abort(),
    left: leaving.signal,
    atEnd: (close) => void closers.push(close),
    async end() {
      for (const close of closers.splice(0)) await close();
      await Promise.allSettled(calls);
      if (workspace !== undefined) await workspaces?.destroy(workspace);
    },
  };
}

/** @throws SkillError `CONFIG_INVALID` as `skillTools`. */
export function sessionTools(
  options: SkillServerOptions,
  workspaces: Workspaces | undefined,
  approvals: StoredApprovals,
): readonly SkillTool[] {
  return skillTools({ ...options, workspaces, approvals, preset: "files" });
}

function noted(workspaces: Workspaces, note: (id: string) => void, roots: AgreedRoots): Workspaces {
  return delegate(workspaces, {
    run: (id, run, options) => workspaces.run(id, run, { ...options, hostInputRoots: roots.folders }),
    forSession: async (session, options) => {
      const info = await workspaces.forSession(session, options);
      note(info.id);
      return info;
    },
  });
}

function tooMany(limit: number): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `${limit} calls of this client have not ended yet, and more are not taken. Wait for their results.`,
    { details: { limit } },
  );
}

function clientProblem({ message }: Error): Diagnostic {
  return {
    code: "mcp.connection",
    severity: "warning",
    message: `A message of the client was not understood, or the connection failed: ${message.slice(0, 500)}`,
    hint: "The connection goes on where it can. Check the host that started this server.",
  };
}
