import { createHash, randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import type { RecordStore } from "@skillwright/core";
import { recordValues } from "@skillwright/records";

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
 * Returns the namespace for the workspaces of these conversations on every runtime: `data-` and 16 hexadecimal digits. Servers with other
 * data never see or destroy them. It comes from a random id that is stored with the conversations: every host that shares
 * a store gets the same one, and a data folder that is moved within its disk keeps it. A copy of a folder gets another one; a copy of
 * a database does not.
 * @throws what the store throws.
 */
export async function workspacesName(data: ApplicationData): Promise<string> {
  const made = { id: randomBytes(16).toString("hex") };
  const { id } = (await stored(data).change(KEY, (held) => (held ? undefined : made))) ?? made;
  return await nameOf(id, data.folder);
}

/** Like `workspacesName`, but stores nothing: returns `undefined` if no id is stored yet. */
export async function knownWorkspacesName(data: ApplicationData): Promise<string | undefined> {
  const found = await stored(data).get(KEY);
  return found && (await nameOf(found.value.id, data.folder));
}

function stored({ records }: ApplicationData) {
  return recordValues<Stored>(records, "id of the data");
}

async function nameOf(id: string, folder: string | undefined): Promise<string> {
  const hash = createHash("sha256").update(id);
  if (folder !== undefined) hash.update(`/${(await stat(folder, { bigint: true })).ino}`);
  return `data-${hash.digest("hex").slice(0, 16)}`;
}
