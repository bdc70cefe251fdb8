import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type LockFile,
  type Metadata,
  openArtifacts,
  openMetadata,
  parseLockFile,
  type SourceClients,
  skillSource,
  sourceClients,
  type WorkspacesName,
  workspacesName,
} from "@skillwright/config";
import type { ArtifactStore, Closable, SessionStore, TurnStore, WorkspaceRegistry } from "@skillwright/core";
import { fsRegistry, fsSessions, fsTurns } from "@skillwright/repository-fs";
import { memorySessions } from "@skillwright/repository-memory";
import type { AppEnvironment } from "./app-parts.js";
import type { DemoOptions } from "./command-line.js";

/** Storage beyond a turn, on this machine or shared with others. */
export interface Stores extends Closable {
  readonly clients: SourceClients;
  readonly metadata: Metadata | undefined;
  readonly sessions: SessionStore;
  /** Conversations of a server on this machine, or of all that share the metadata. */
  readonly served: SessionStore | undefined;
  readonly artifacts: ArtifactStore;
  /** Turns of a server on this machine, or of all that share the metadata. */
  readonly turns: TurnStore | undefined;
  /** Where records of workspaces are kept if the runtime has no registry of its own. */
  readonly registry: WorkspaceRegistry | undefined;
  /** The names of the workspaces that belong to these conversations. Missing where the user has no home directory. */
  readonly names: WorkspacesName | undefined;
  /** An absolute folder of this machine in which outputs are placed for the person. */
  readonly outputs: string;
  readonly lock: LockFile | undefined;
}

/** @throws SkillError `CONFIG_INVALID`, `UNSUPPORTED`, `BACKEND_FAILED`, each naming what cannot be used. */
export async function openStores(
  options: Pick<DemoOptions, "artifacts" | "metadata" | "lock" | "session" | "serve" | "web">,
  { env, cwd, home }: Pick<AppEnvironment, "env" | "cwd" | "home">,
): Promise<Stores> {
  const clients = sourceClients(env);
  const isFolder = skillSource(options.artifacts).kind === "folder";
  const outputs = resolve(cwd, isFolder ? options.artifacts : "artifacts");
  const lock = options.lock === undefined ? undefined : await readLock(resolve(cwd, options.lock));
  let metadata: Metadata | undefined;
  try {
    if (options.metadata !== undefined) metadata = await openMetadata(options.metadata, { cwd });
    const place = isFolder ? join(outputs, ".versions") : options.artifacts;
    const artifacts = await openArtifacts(place, { cwd, clients });
    return {
      clients,
      metadata,
      sessions: metadata?.sessions ?? ownSessions(options, home),
      served: metadata?.sessions ?? (home === undefined ? undefined : keptSessions(home)),
      turns: metadata?.turns ?? (home === undefined ? undefined : keptTurns(home)),
      registry: metadata?.registry ?? (home === undefined ? undefined : keptRegistry(home)),
      artifacts,
      names: await namesOf(metadata, home),
      outputs,
      lock,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    await metadata?.close();
    await clients.close();
  }
}

/** A conversation in the terminal without a name is never continued; those of a server are. */
function ownSessions(
  { session, serve, web }: Pick<DemoOptions, "session" | "serve" | "web">,
  home: string | undefined,
): SessionStore {
  if ((session === undefined && !serve && !web) || home === undefined) return memorySessions();
  return keptSessions(home);
}

async function namesOf(
  metadata: Metadata | undefined,
  home: string | undefined,
): Promise<WorkspacesName | undefined> {
  if (metadata) return await workspacesName({ sessions: metadata.sessions });
  if (home === undefined) return undefined;
  return await workspacesName({ sessions: keptSessions(home), folder: join(home, ".skillwright") });
}

function keptSessions(home: string): SessionStore {
  return fsSessions({ root: join(home, ".skillwright", "sessions") });
}

function keptTurns(home: string): TurnStore {
  return fsTurns({ root: join(home, ".skillwright", "turns") });
}

function keptRegistry(home: string): WorkspaceRegistry {
  return fsRegistry({ root: join(home, ".skillwright", "registry") });
}

async function readLock(path: string): Promise<LockFile> {
  return parseLockFile(await readFile(path, "utf8"), path);
}
