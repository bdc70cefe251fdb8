import { type TakenVersions, takenVersions } from "../inputs/pinned-source.js";

/** What this process remembers of a workspace's runs. Another process starts without it. */
export interface RunMemory {
  readonly taken: TakenVersions;
  /** Run directories, oldest first. Missing until they were listed. */
  runDirectories: string[] | undefined;
  /** By the digest of a skill: whether the python of its virtual environment runs here. */
  readonly pythons: Map<string, boolean>;
}

export function runMemory(): RunMemory {
  return { taken: takenVersions(), runDirectories: undefined, pythons: new Map() };
}
