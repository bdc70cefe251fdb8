import { resolve } from "node:path";
import { type InstallResult, installSkills, type LockFile, type SourceClients } from "@skillwright/config";
import type { CliContext } from "../cli-context.js";
import type { Allowed } from "../handing-on/standing-in-the-way.js";
import { openLockedSource } from "../lock/locked-source.js";
import { installedLine } from "./installed-text.js";
import { judgeDownload } from "./judge-download.js";

export interface InstallLockedOptions {
  readonly to: string;
  /** Base of relative folders in the lock file. */
  readonly directory: string;
  readonly names?: readonly string[] | undefined;
  readonly frozen: boolean;
  readonly force: boolean;
  /** Findings with which skills are installed anyway. */
  readonly allowed: Allowed;
  readonly clients: SourceClients;
}

/** Installs the skills of the lock file, with a line on standard error for each when it is done. */
export async function installLocked(
  lock: LockFile,
  { to, directory, names, frozen, force, allowed, clients }: InstallLockedOptions,
  context: CliContext,
  note?: (result: InstallResult) => void,
): Promise<readonly InstallResult[]> {
  return await installSkills(lock, {
    directory: resolve(context.cwd, to),
    open: (entry) => openLockedSource(entry, directory, clients),
    names,
    frozen,
    force,
    check: (name, files, { diagnostics }) => judgeDownload(name, { files, diagnostics }, allowed, context),
    signal: context.signal,
    onResult: (result) => {
      note?.(result);
      context.remark(...installedLine(result, context.errorStyle));
    },
  });
}
