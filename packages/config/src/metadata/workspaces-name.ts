import { createHash, randomBytes } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "@skillwright/core";
import { changeValue } from "@skillwright/core/adapter";

/** Under which names the workspaces of an application's data are kept. */
export interface WorkspacesName {
  /** Namespace of containers and pods: 16 hexadecimal digits after `data-`. */
  readonly shared: string;
  /** Namespace of the local runtime; `undefined` for the data in `~/.skillwright` of the user's account. */
  readonly local: string | undefined;
}

export interface ApplicationData {
  /** The store of the conversations to which the workspaces belong. */
  readonly sessions: SessionStore;
  /** The folder that holds the store; missing for a store that several machines share. */
  readonly folder?: string | undefined;
}

/** No conversation of an application has it. */
const SCOPE = { app: "skillwright.data", user: "workspaces", session: "name" };
const KEY = "id";

/**
 * Names the workspaces of these conversations, so that others never see or destroy them. The name is stored with the
 * conversations: it is the same on each host and for each address of a shared store, and a folder that was moved within its
 * disk keeps it. A copy of the folder gets another one; a copy of a database does not.
 * @throws what the store throws.
 */
export async function workspacesName(data: ApplicationData): Promise<WorkspacesName> {
  const made = randomBytes(16).toString("hex");
  const id = await changeValue<string>(data.sessions, SCOPE, KEY, (held) => (held ? undefined : made));
  return await nameOf(id ?? made, data.folder);
}

/** As `workspacesName`, and stores nothing: `undefined` where they have no name yet. */
export async function knownWorkspacesName(data: ApplicationData): Promise<WorkspacesName | undefined> {
  const id = (await data.sessions.get(SCOPE))?.state[KEY];
  return typeof id === "string" ? await nameOf(id, data.folder) : undefined;
}

async function nameOf(id: string, folder: string | undefined): Promise<WorkspacesName> {
  const hash = createHash("sha256").update(id);
  if (folder !== undefined) hash.update(`/${(await stat(folder, { bigint: true })).ino}`);
  const shared = `data-${hash.digest("hex").slice(0, 16)}`;
  return { shared, local: folder !== undefined && (await isOfAccount(folder)) ? undefined : shared };
}

/** Whatever the variable HOME says. */
async function isOfAccount(folder: string): Promise<boolean> {
  try {
    return (await realpath(folder)) === (await realpath(join(userInfo().homedir, ".skillwright")));
  } catch {
    // The user has no account or no such folder.
    return false;
  }
}
