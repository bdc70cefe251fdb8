import { type TakenVersions, takenVersions } from "../inputs/pinned-source.js";

/** What this process remembers of a workspace's runs. Another process starts without it. */
export interface RunMemory {
  readonly taken: TakenVersions;
  /** Run directories, oldest first. Missing until they were listed. */
  runDirectories: string[] | undefined;
  /** Whether the python of a skill's virtual environment runs here: by its digest, or by that and limits. */
  readonly pythons: Map<string, boolean>;
}

export function runMemory(): RunMemory {
  return { taken: takenVersions(), runDirectories: undefined, pythons: new Map() };
}
