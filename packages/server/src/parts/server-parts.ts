import { randomBytes } from "node:crypto";
import { applicationNamespace } from "@skillwright/agent";
import {
  type ArtifactStore,
  type ContentStore,
  type RecordStore,
  type SessionScope,
  type SkillCatalog,
  SkillError,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { checkArtifactScope } from "@skillwright/core/adapter";
import {
  recordRegistry,
  recordSessions,
  recordTurns,
  type Sessions,
  type TurnRecord,
  type Turns,
} from "@skillwright/records";
import { memoryArtifacts, memoryRecords } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { type StoredApprovals, storedApprovals } from "@skillwright/tools";
import { type Conversations, conversations } from "../conversations/conversations.js";
import { retentionLimits } from "../conversations/retention.js";
import { localUser } from "../http/local-user.js";
import { defaultLimiter, type RequestLimiter } from "../http/request-limit.js";
import {
  harmlessLog,
  loggedDiagnostic,
  printedLog,
  type ServerLog,
  type TellWork,
  tellWork,
} from "../log/server-log.js";
import type { AgentServerOptions, Authenticate } from "../server-options.js";
import { patientRecords } from "../turns/patient-records.js";
import { recoverTurns } from "../turns/recover-turns.js";
import { type TurnRunner, turnRunner } from "../turns/turn-runner.js";
import { type Draining, draining } from "./draining.js";
import { type OpenAgents, openAgents } from "./open-agents.js";
import { servedRetention } from "./served-retention.js";
import { type ServedWorkspaces, servedWorkspaces } from "./served-workspaces.js";

/** What the endpoints work with. */
export interface ServerParts {
  readonly agents: OpenAgents;
  readonly conversations: Conversations;
  readonly runner: TurnRunner;
  readonly turns: Turns;
  /** What agents keep of conversations. */
  readonly sessions: Sessions;
  readonly skills: SkillCatalog;
  readonly artifacts: ArtifactStore;
  readonly workspaces: ServedWorkspaces;
  readonly runtime: WorkspaceRuntime;
  readonly authenticate: Authenticate;
  /** The local user's token; missing where the application authenticates. */
  readonly token: string | undefined;
  readonly origins: readonly string[];
  readonly basePath: string;
  readonly maxUploadBytes: number;
  readonly keepArtifacts: boolean;
  readonly draining: Draining;
  readonly limiter: RequestLimiter | undefined;
  /** Missing where the application answers questions itself. */
  readonly approvals: StoredApprovals | undefined;
  /** Staged skills by digest. */
  readonly content: ContentStore | undefined;
  readonly log: ServerLog;
  /** Tells the operator of work that failed and that nobody waits for. */
  readonly failed: TellWork;
  /** Fires when the turns of this process have ended and streams that are left are to end. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/** @throws SkillError `CONFIG_INVALID` where `agents` is empty, and for a time of `keep` that is too short. */
export function serverParts(options: AgentServerOptions): ServerParts {
  if (Object.keys(options.agents).length === 0) throw noAgents();
  const { app = "skillwright", basePath = "/v1", maxUploadBytes = TWO_GIB, keepArtifacts = false } = options;
  checkPrefixes(app, basePath);
  const limits = retentionLimits(options.keep);
  const opened: { close(): Promise<void> }[] = [];
  const own = <T extends { close(): Promise<void> }>(given: T | undefined, made: () => T): T => {
    if (given) return given;
    const part = made();
    opened.push(part);
    return part;
  };
  const skills = own(options.skills, () => skillBox({}));
  const runtime = own(options.runtime, () => localRuntime({ namespace: applicationNamespace(app) }));
  const records = own(options.records, () => memoryRecords());
  const registry = options.registry ?? runtime.registry ?? recordRegistry(records);
  const artifacts = own(options.artifacts, () => memoryArtifacts());
  const turns = recordTurns(records);
  const token = options.authenticate ? undefined : randomBytes(32).toString("base64url");
  const { queue, leaseMs = 30_000 } = options;
  const log = harmlessLog(options.log ?? printedLog);
  const failed = tellWork(log);
  const onDiagnostic = options.dependencies?.workspaces?.onDiagnostic ?? loggedDiagnostic(log);
  const dependencies = {
    ...options.dependencies,
    workspaces: { ...options.dependencies?.workspaces, onDiagnostic },
  };
  const approvalsIn = (store: RecordStore) =>
    dependencies.approvals ?? (dependencies.approval ? undefined : storedApprovals({ records: store }));
  const approvals = approvalsIn(records);
  const patient = patientRecords(records, leaseMs);
  // The store of the agents, so that both know what this process has stored of a session.
  const stored = conversations(records, app, recordSessions(patient));
  const agents = openAgents(
    { ...options, dependencies: { ...dependencies, approvals: approvalsIn(patient) } },
    { skills, runtime, registry, records: patient, artifacts },
    failed,
  );
  const workspaces = servedWorkspaces({ skills, runtime, registry, artifacts, onDiagnostic });
  const drained = draining();
  const isParked = async (scope: SessionScope) => ((await approvals?.list(scope)) ?? []).length > 0;
  const runner = turnRunner({
    ...{
      agents,
      conversations: stored,
      turns,
      queue,
      isParked,
      draining: drained,
      basePath,
      leaseMs,
      log,
      failed,
    },
  });
  const takeOver = async (turn: TurnRecord) => {
    if (drained.isDraining()) throw leaves();
    const over = runner.takeOver(turn);
    drained.running(over);
    await over;
  };
  const stopRecovering = recoverTurns({ app, turns, queue, leaseMs, takeOver, failed });
  const ending = new AbortController();
  let closed: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    void drained.drain(0);
    // Others resume them where they share the stores.
    const leave = options.records !== undefined;
    await stopRemoving();
    await stopRecovering();
    const left = await runner.close({ leave });
    ending.abort();
    const scopes = await agents.close({ except: left });
    // Conversations in memory end with the server, and nobody finds their workspaces any more.
    if (!options.records) await workspaces.destroyOf(scopes);
    await workspaces.close();
    for (const part of opened.reverse()) await part.close();
  }

  const parts: ServerParts = {
    ...{
      agents,
      runner,
      turns,
      sessions: recordSessions(records),
      skills,
      artifacts,
      workspaces,
      runtime,
      token,
      basePath,
      maxUploadBytes,
    },
    ...{ keepArtifacts, conversations: stored },
    authenticate: options.authenticate ?? localUser(token ?? ""),
    origins: options.origins ?? [],
    ...{ draining: drained, closing: ending.signal, approvals, log, failed, content: dependencies.content },
    limiter:
      options.limiter === undefined && options.authenticate ? defaultLimiter() : options.limiter || undefined,
    close: () => (closed ??= closeAll()),
  };
  const stopRemoving = servedRetention(limits, parts, { records, app });
  return parts;
}

/** Another process takes over. */
function leaves(): SkillError {
  return new SkillError("CONFLICT", "This server is being closed and takes over no turns.");
}

const TWO_GIB = 2 * 1024 ** 3;

function noAgents(): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    "agents: given no agent; expected at least one. Give { assistant: { modelConfig: { provider, model } } }.",
    { details: { fields: [{ path: "agents" }] } },
  );
}

/** Without this check, each request to a server with an invalid `app` or `basePath` would fail as if the client had made a mistake. */
function checkPrefixes(app: string, basePath: string): void {
  try {
    checkArtifactScope({ app });
  } catch (cause) {
    throw new SkillError(
      "CONFIG_INVALID",
      "`app` must be a text of 1 to 128 characters without control characters.",
      { cause },
    );
  }
  if (!/^(?:\/[^/?#\s]+)*$/.test(basePath))
    throw new SkillError(
      "CONFIG_INVALID",
      `\`basePath\` is ${JSON.stringify(basePath)}. It begins with a slash and ends without one, such as /v1; an empty text is for no prefix.`,
    );
}
