import { chmodSync, chownSync } from "node:fs";
import type { Credentials } from "../host/credentials.js";

/** Permissions for the files and directories of a copied skill. */
export interface CopyRights {
  readonly file: number;
  readonly executable: number;
  readonly directory: number;
  /** The owner, if not this process's user. */
  readonly owner?: Credentials | undefined;
}

/** Without a sandbox this only prevents mistakes: a command may change the modes of files that its user owns. */
export const READ_ONLY: CopyRights = { file: 0o444, executable: 0o555, directory: 0o555 };

/** For commands that run as that user. */
export function writableBy(owner: Credentials | undefined): CopyRights {
  return { file: 0o644, executable: 0o755, directory: 0o755, owner };
}

/** Does not guard against links: the path must be out of the commands' reach. */
export function closeDirectory(path: string, { directory, owner }: CopyRights): void {
  chmodSync(path, directory);
  if (owner) chownSync(path, owner.uid, owner.gid);
}
