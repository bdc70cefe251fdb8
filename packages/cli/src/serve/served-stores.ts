import { join, resolve } from "node:path";
import {
  openArtifacts,
  openMetadata,
  sourceClients,
  type WorkspacesName,
  workspacesName,
} from "@skillwright/config";
import {
  type ArtifactStore,
  type Closable,
  type SessionStore,
  SkillError,
  type TurnStore,
  type WorkspaceRegistry,
} from "@skillwright/core";
import { fsRegistry, fsSessions, fsTurns } from "@skillwright/repository-fs";
import type { CliContext } from "../cli-context.js";
import type { ServeFlags } from "./serve-agent.js";

/** The stores of what outlives a server's process. */
export interface ServedStores {
  readonly sessions: SessionStore;
  readonly turns: TurnStore;
  /** Used by runtimes that have no registry of their own. */
  readonly registry: WorkspaceRegistry;
  readonly artifacts: ArtifactStore;
  /** The names of the workspaces that belong to these conversations. */
  readonly names: WorkspacesName;
  /** Closes the stores and the clients that were opened for them. */
  close(): Promise<void>;
}

/**
 * Opens the stores at the addresses of the command line; those without one are in the data folder.
 * @throws SkillError `CONFIG_INVALID` for an address of another kind, or where there is no data folder; `UNSUPPORTED`
 * where a package is not installed; `BACKEND_FAILED` where the metadata cannot be reached.
 */
export async function servedStores(
  flags: Pick<ServeFlags, "data" | "metadata" | "artifacts">,
  context: Pick<CliContext, "cwd" | "env">,
): Promise<ServedStores> {
  const { cwd, env } = context;
  const opened: Pick<Closable, "close">[] = [];
  const close = async () => {
    for (const part of opened.reverse()) await part.close();
  };
  const kept = <T extends Closable>(part: T): T => {
    opened.push(part);
    return part;
  };
  const clients = sourceClients(env);
  opened.push(clients);
  try {
    const { sessions, turns, registry } =
      flags.metadata === undefined
        ? {
            sessions: kept(fsSessions({ root: folder("sessions") })),
            turns: kept(fsTurns({ root: folder("turns") })),
            registry: kept(fsRegistry({ root: folder("registry") })),
          }
        : kept(await openMetadata(flags.metadata, { cwd }));
    const artifacts = kept(await openArtifacts(flags.artifacts ?? folder("artifacts"), { cwd, clients }));
    const names = await workspacesName({
      sessions,
      folder: flags.metadata === undefined ? dataFolder(flags.data, context) : undefined,
    });
    return { sessions, turns, registry, artifacts, names, close };
  } catch (error) {
    await close();
    throw error;
  }

  function folder(name: string): string {
    return join(dataFolder(flags.data, context), name);
  }
}

/** @throws SkillError `CONFIG_INVALID` if the user has no home directory and gave no folder. */
function dataFolder(given: string | undefined, { cwd, env }: Pick<CliContext, "cwd" | "env">): string {
  if (given !== undefined) return resolve(cwd, given);
  const home = env["HOME"] ?? env["USERPROFILE"];
  if (home) return join(home, ".skillwright");
  const message = "There is no home directory to keep conversations in. Give a folder with --data.";
  throw new SkillError("CONFIG_INVALID", message);
}
