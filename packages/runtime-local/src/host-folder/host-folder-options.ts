import { SkillError } from "@skillwright/core";

/** Where commands see the folder, relative to the workspace's root. */
export const HOST_FOLDER_PATH = "work/project";

const MAX_FILES = 50_000;
const MAX_BYTES = 1024 ** 3;

export interface HostFolderOptions {
  /**
   * Absolute path of a folder that belongs to this user. The root directory, the home directory, folders that contain
   * it, and folders around the workspaces are refused.
   */
  readonly path: string;
  /** Most files and folders of a snapshot. Defaults to 50,000. */
  readonly maxFiles?: number | undefined;
  /** Most bytes of a snapshot. Defaults to 1 GiB. */
  readonly maxBytes?: number | undefined;
}

export interface FolderLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** @throws SkillError `CONFIG_INVALID` for a limit that is not a whole number from 1. */
export function folderLimits({
  maxFiles = MAX_FILES,
  maxBytes = MAX_BYTES,
}: Omit<HostFolderOptions, "path">): FolderLimits {
  for (const [name, value] of Object.entries({ maxFiles, maxBytes }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new SkillError("CONFIG_INVALID", `hostFolder.${name} is ${value}. Give a whole number from 1.`);
  return { maxFiles, maxBytes };
}
