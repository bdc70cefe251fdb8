import type { AgentConfig, AgentDependencies } from "@skillwright/agent";
import type {
  ArtifactStore,
  Closable,
  RecordStore,
  SkillCatalog,
  WorkspaceRegistry,
  WorkspaceRuntime,
} from "@skillwright/core";
import type { RequestLimiter } from "./http/request-limit.js";
import type { ServerLog } from "./log/server-log.js";
import type { TurnQueue } from "./queues/turn-queue.js";

/** A person or program whose data the server keeps apart from all others. */
export interface ServerUser {
  /** 1 to 128 characters without control characters. */
  readonly id: string;
}

/** Returns whose request it is, or `undefined` where nobody's. */
export type Authenticate = (request: Request) => ServerUser | undefined | Promise<ServerUser | undefined>;

/** The configuration of an agent; the server decides on the session. */
export type ServedAgent = Omit<AgentConfig, "session" | "skillsPackage">;

/**
 * How long conversations and parts of them are kept after their last change, in milliseconds: at least 60,000, or `false` until somebody
 * deletes them.
 */
export interface Retention {
  /** The events of turns and the output of their commands. Messages stay. Defaults to 2,592,000,000, 30 days. */
  readonly eventsMs?: number | false | undefined;
  /** Saved outputs. Defaults to `false`. */
  readonly outputsMs?: number | false | undefined;
  /** Whole conversations, as `DELETE` removes them. Defaults to `false`. */
  readonly conversationsMs?: number | false | undefined;
}

/** The parts of a server, each but `agents` with a default. Parts that are passed in are not closed. */
export interface AgentServerOptions {
  /** Agents by name. The first one answers conversations that name none. */
  readonly agents: Readonly<Record<string, ServedAgent>>;
  /** The skills of all agents. Defaults to none. */
  readonly skills?: SkillCatalog | undefined;
  /**
   * Where commands run. Defaults to a sandbox on this machine, whose workspaces belong to this `app` and the working directory: give
   * servers that are started in different directories and share their stores a runtime with one `namespace`.
   */
  readonly runtime?: WorkspaceRuntime | undefined;
  /**
   * Keeps conversations, turns, approvals and records of workspaces, such as `fsRecords`. Processes that share it, as the other stores, serve the
   * same turns. Defaults to memory; closing the server then destroys the workspaces too. It stays open when the server is closed.
   */
  readonly records?: RecordStore | undefined;
  /** Records of workspaces. Defaults to the runtime's own, otherwise to `records`. */
  readonly registry?: WorkspaceRegistry | undefined;
  /** Saved outputs. Defaults to memory. */
  readonly artifacts?: ArtifactStore | undefined;
  /** A process that has not renewed a turn for this long has died: another one takes it over. Defaults to 30,000. */
  readonly leaseMs?: number | undefined;
  /**
   * An engine that gives turns whose process has died to another one: `bullmqTurns` of `@skillwright/server/bullmq`,
   * `pgBossTurns` of `@skillwright/server/pg-boss`. Defaults to a look into `records` every 5 s in each process.
   */
  readonly queue?: TurnQueue | undefined;
  /** Further parts of the agents. */
  readonly dependencies?:
    | Omit<AgentDependencies, "skills" | "runtime" | "registry" | "records" | "artifacts">
    | undefined;
  /**
   * Tells the user of a request. Defaults to one user `local`, who shows `AgentServer.token` as a bearer token; requests
   * must then be addressed to this machine (`localhost`, `127.0.0.1`, `[::1]`).
   */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Limits how often each user asks; beyond it, a request is answered with 429 and `retry-after`. Defaults to 1,200 requests
   * a minute in each process, and to `false`, no limit, for the local user.
   */
  readonly limiter?: RequestLimiter | false | undefined;
  /**
   * Origins of web pages that may send requests and read the answers (CORS), besides the server's own:
   * `https://chat.example`. Such a page sends its credentials in a header, not as cookies. Defaults to none.
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * First part of the sessions' scope, which separates applications that share stores, and their workspaces on one machine. Defaults to
   * `skillwright`.
   */
  readonly app?: string | undefined;
  /** Prefix of all paths. Defaults to `/v1`. */
  readonly basePath?: string | undefined;
  /** Largest upload in bytes. Defaults to 2 GiB. */
  readonly maxUploadBytes?: number | undefined;
  /** Keeps the artifacts of a conversation that is deleted. A later conversation with the same id has them. Defaults to false. */
  readonly keepArtifacts?: boolean | undefined;
  /**
   * What is removed without anybody's request. One of the processes that share `records` removes it once a day, or more
   * often: ten times within the shortest of the times.
   */
  readonly keep?: Retention | undefined;
  /**
   * Takes what the server tells its operator, such as a logger of pino: each request with its id, route, status and duration, the begin
   * and the end of each turn, findings of workspaces, and with level `error` why a request was answered with 500 or 503, why a turn
   * failed, and what work of the server itself failed (each kind once a minute). Users are named by a hash. Defaults to a line on
   * standard error for warnings and errors.
   */
  readonly log?: ServerLog | undefined;
}

export interface AgentServer extends Closable {
  /** Answers a request. Never rejects: failures are problem answers (RFC 9457). */
  fetch(request: Request): Promise<Response>;
  /**
   * Takes no new turns from now on (503 with `retry-after`). Resolves when no turn of this process runs any more, or after
   * `forMs` (10 s). `close` then stops what still runs.
   */
  drain(options?: { readonly forMs?: number | undefined }): Promise<void>;
  /** The random token of the local user; missing with `authenticate`. */
  readonly token: string | undefined;
}
