import type { InstallResult, LockFile } from "@skillwright/config";
import type { CliContext } from "../cli-context.js";
import { changeProjectLock, type LockFileChange, type ProjectLock } from "../lock/project-lock.js";
import { type InstallLockedOptions, installLocked } from "./install-locked.js";

export interface LockedInstallation {
  readonly results: readonly InstallResult[];
  readonly change: LockFileChange;
}

/**
 * Installs entries that are not in the lock file, and locks those whose skills are in place afterwards, also where an
 * abort ends the installation. For a skill that was refused or failed, the lock file stays as it is.
 */
export async function installAndLock(
  entries: LockFile,
  project: ProjectLock,
  options: Pick<InstallLockedOptions, "to" | "force" | "allowed" | "clients">,
  context: CliContext,
): Promise<LockedInstallation> {
  const inPlace: [string, InstallResult["entry"]][] = [];
  const lockThose = () => changeProjectLock(project, (skills) => [...Object.entries(skills), ...inPlace]);
  const note = ({ name, entry, state }: InstallResult) => {
    if (state !== "failed") inPlace.push([name, entry]);
  };
  const { directory } = project;
  let results: readonly InstallResult[];
  try {
    results = await installLocked(entries, { ...options, directory, frozen: false }, context, note);
  } catch (error) {
    await lockThose();
    throw error;
  }
  return { results, change: await lockThose() };
}
