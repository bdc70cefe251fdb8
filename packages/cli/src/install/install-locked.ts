import { resolve } from "node:path";
import { type InstallResult, installSkills, type LockFile, type SourceClients } from "@skillwright/config";
import type { CliContext } from "../cli-context.js";
import type { Allowed } from "../handing-on/standing-in-the-way.js";
import { openLockedSource } from "../lock/locked-source.js";
import { installedLine } from "./installed-text.js";
import { judgeDownload } from "./judge-download.js";

export interface InstallLockedOptions {
  readonly to: string;
  /** What folders in the lock file are relative to. */
  readonly directory: string;
  readonly names?: readonly string[] | undefined;
  readonly frozen: boolean;
  readonly force: boolean;
  /** What skills may have and be installed all the same. */
  readonly allowed: Allowed;
  readonly clients: SourceClients;
}

/** Installs what the lock file names, with a line on standard error for each skill as it is done. */
export async function installLocked(
  lock: LockFile,
  { to, directory, names, frozen, force, allowed, clients }: InstallLockedOptions,
  context: CliContext,
): Promise<readonly InstallResult[]> {
  return await installSkills(lock, {
    directory: resolve(context.cwd, to),
    open: (entry) => openLockedSource(entry, directory, clients),
    names,
    frozen,
    force,
    check: (name, files) => judgeDownload(name, files, allowed, context),
    signal: context.signal,
    onResult: (result) => context.remark(...installedLine(result, context.errorStyle)),
  });
}
