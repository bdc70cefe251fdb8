import { createHash, randomBytes } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { RecordStore } from "@skillwright/core";
import { recordValues } from "@skillwright/records";

/** The names that separate the workspaces of one application's data from all other workspaces. */
export interface WorkspacesName {
  /** Namespace of containers and pods: `data-` and 16 hexadecimal digits. */
  readonly shared: string;
  /** Namespace of the local runtime; `undefined` for the data in `~/.skillwright` of the user's account. */
  readonly local: string | undefined;
}

export interface ApplicationData {
  /** The store of the conversations to which the workspaces belong. */
  readonly records: RecordStore;
  /** The folder that contains the store. Missing for a store that several machines share. */
  readonly folder?: string | undefined;
}

const KEY = ["data", "id"];

interface Stored {
  readonly id: string;
}

/**
 * Returns the names for the workspaces of these conversations, so that servers with other data never see or destroy them.
 * They come from a random id that is stored with the conversations: every host that shares a store gets the same names, and a
 * data folder that is moved within its disk keeps them. A copy of a folder gets other names; a copy of a database does not.
 * @throws what the store throws.
 */
export async function workspacesName(data: ApplicationData): Promise<WorkspacesName> {
  const made = { id: randomBytes(16).toString("hex") };
  const { id } = (await stored(data).change(KEY, (held) => (held ? undefined : made))) ?? made;
  return await nameOf(id, data.folder);
}

/** Like `workspacesName`, but stores nothing: returns `undefined` if no id is stored yet. */
export async function knownWorkspacesName(data: ApplicationData): Promise<WorkspacesName | undefined> {
  const found = await stored(data).get(KEY);
  return found && (await nameOf(found.value.id, data.folder));
}

function stored({ records }: ApplicationData) {
  return recordValues<Stored>(records, "id of the data");
}

async function nameOf(id: string, folder: string | undefined): Promise<WorkspacesName> {
  const hash = createHash("sha256").update(id);
  if (folder !== undefined) hash.update(`/${(await stat(folder, { bigint: true })).ino}`);
  const shared = `data-${hash.digest("hex").slice(0, 16)}`;
  return { shared, local: folder !== undefined && (await isOfAccount(folder)) ? undefined : shared };
}

/** True for `~/.skillwright` of the user's account. The variable HOME has no effect. */
async function isOfAccount(folder: string): Promise<boolean> {
  try {
    return (await realpath(folder)) === (await realpath(join(userInfo().homedir, ".skillwright")));
  } catch {
    // The user has no account, or the account has no such folder.
    return false;
  }
}
