import { type TakenVersions, takenVersions } from "../inputs/pinned-source.js";

/** What this process remembers of a workspace's runs. Another process starts without it. */
export interface RunMemory {
  readonly taken: TakenVersions;
  /** Run directories, oldest first. Missing until they were listed. */
  runDirectories: string[] | undefined;
}

export function runMemory(): RunMemory {
  return { taken: takenVersions(), runDirectories: undefined };
}
