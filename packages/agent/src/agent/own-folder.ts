import { createHash } from "node:crypto";
import type { CheckedAgentConfig } from "@skillwright/config";
import {
  type Approval,
  type CallOptions,
  type Diagnostic,
  type HostFolder,
  type SessionScope,
  SkillError,
  type TrustStore,
  type WorkspaceRuntime,
  type Workspaces,
} from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { userTrust } from "@skillwright/tools";

/** The user's folder in an agent's turns. */
export interface OwnFolder {
  readonly folder: HostFolder;
  /** Text for the system prompt. */
  readonly guidance: string;
  /** Workspaces whose first change of a turn is preceded by a snapshot. */
  keeping(workspaces: Workspaces): Workspaces;
  /** Starts a turn; `tell` receives what its snapshot cannot keep. */
  beginTurn(tell: (diagnostic: Diagnostic) => void): void;
}

interface OwnFolderOptions {
  readonly wanted: CheckedAgentConfig["sandbox"]["hostFolder"];
  readonly session: SessionScope;
  readonly approval?: Approval | undefined;
  readonly trust?: TrustStore | undefined;
  readonly sharedTrust?: boolean | undefined;
}

/**
 * The runtime's folder, once the user has allowed it; `undefined` where none is configured.
 * @throws SkillError `UNSUPPORTED` for a runtime without one, `REFUSED` without the user's approval.
 */
export async function ownFolder(
  runtime: WorkspaceRuntime,
  options: OwnFolderOptions,
): Promise<OwnFolder | undefined> {
  const { hostFolder: folder, label } = runtime;
  if (options.wanted && !folder) throw unsupported(label);
  if (!folder) return undefined;
  await checkAllowed(folder.path, options);
  const keeps = options.wanted?.undo ?? true;
  let kept: Promise<void> | undefined;
  let listener: (diagnostic: Diagnostic) => void = () => undefined;

  async function keep({ signal }: CallOptions = {}): Promise<void> {
    if (!keeps) return;
    kept ??= snapshot(signal);
    await kept;
  }

  async function snapshot(signal: AbortSignal | undefined): Promise<void> {
    try {
      for (const diagnostic of (await folder?.snapshot({ signal }))?.diagnostics ?? []) listener(diagnostic);
    } catch (error) {
      kept = undefined;
      throw error;
    }
  }

  return {
    folder,
    guidance: `The user's own folder ${JSON.stringify(folder.path)} is at work/project. Commands and workspace tools may read and change it. Change only what the request is about.`,
    keeping: (workspaces) => keeping(workspaces, keep),
    beginTurn(tell) {
      kept = undefined;
      listener = tell;
    },
  };
}

function keeping(workspaces: Workspaces, keep: (options?: CallOptions) => Promise<void>): Workspaces {
  const { start } = workspaces;
  return delegate(workspaces, {
    async run(id, run, options) {
      await keep(options);
      return await workspaces.run(id, run, options);
    },
    async write(id, path, content, options) {
      await keep(options);
      return await workspaces.write(id, path, content, options);
    },
    ...(start && {
      async start(...given: Parameters<typeof start>) {
        await keep(given[2]);
        return await start.apply(workspaces, given);
      },
    }),
  });
}

const SOURCE = "host folder";

async function checkAllowed(
  path: string,
  { session, approval, trust, sharedTrust }: OwnFolderOptions,
): Promise<void> {
  const store = trust && !sharedTrust ? userTrust(trust, session) : trust;
  const digest = `sha256:${createHash("sha256").update(`${SOURCE}\0${path}`).digest("hex")}`;
  if (await store?.isAllowed(digest, SOURCE)) return;
  const reason =
    "Commands of skills could then read, change and remove all files in this folder, and programs that you start there would use what they wrote.";
  const request = { session, action: "write", digest, source: SOURCE, subject: path, reason } as const;
  const decision = await approval?.(request);
  if (!decision?.allowed) throw refused(path, decision?.reason);
  await store?.allow(digest, SOURCE);
}

function refused(path: string, why = "There is nobody to ask; give createAgent an `approval`."): SkillError {
  return new SkillError(
    "REFUSED",
    `The folder ${JSON.stringify(path)} is not given to commands. ${why} Leave out the folder to work with uploaded files.`,
    { details: { path } },
  );
}

function unsupported(label: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `Commands of the runtime "${label}" cannot work in a folder of this machine. Use the local runtime with a sandbox, or upload the files.`,
    { details: { runtime: label } },
  );
}
