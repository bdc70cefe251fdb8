import { type TakenVersions, takenVersions } from "../inputs/pinned-source.js";

/** What this process remembers of a workspace's runs; another process begins without it. */
export interface RunMemory {
  readonly taken: TakenVersions;
  /** Run directories, oldest first; missing until they were listed once. */
  runDirectories: string[] | undefined;
}

export function runMemory(): RunMemory {
  return { taken: takenVersions(), runDirectories: undefined };
}
