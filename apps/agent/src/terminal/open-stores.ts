import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type Configuration,
  type Stores as ConfiguredStores,
  type LockFile,
  openStores as openConfigured,
  parseLockFile,
  skillSource,
} from "@skillwright/config";
import type { RecordStore } from "@skillwright/core";
import { memoryRecords } from "@skillwright/repository-memory";
import type { AppEnvironment } from "./app-parts.js";
import type { DemoOptions } from "./command-line.js";

/** Storage beyond a turn, on this machine or shared with others. */
export interface Stores extends ConfiguredStores {
  /** The records of a server on this machine, or of every server that shares them. */
  readonly served: RecordStore;
  /** An absolute folder of this machine in which outputs are placed for the person. */
  readonly outputs: string;
  readonly lock: LockFile | undefined;
  readonly keep: Configuration["stores"]["keep"];
}

/**
 * Opens the stores that `skillwright serve` opens, so that both serve the same conversations and outputs. In the terminal,
 * outputs are versioned beside those that are placed for the person.
 * @throws SkillError `CONFIG_INVALID`, `UNSUPPORTED`, `BACKEND_FAILED`, each naming what cannot be used.
 */
export async function openStores(
  options: Pick<DemoOptions, "artifacts" | "records" | "lock" | "session" | "serve" | "web">,
  { env, cwd, home }: Pick<AppEnvironment, "env" | "cwd" | "home">,
  configured: Configuration["stores"] = {},
): Promise<Stores> {
  const isServer = options.serve === true || options.web === true;
  const lock = options.lock === undefined ? undefined : await readLock(resolve(cwd, options.lock));
  const place = options.records ?? configured.records;
  const given = options.artifacts ?? configured.artifacts;
  const outputsPlace = given ?? "artifacts";
  const isFolder = skillSource(outputsPlace).kind === "folder";
  const outputs = resolve(cwd, isFolder ? outputsPlace : "artifacts");
  const stores = await openConfigured({
    ...{ records: place, cwd, env },
    ...(home !== undefined && { data: join(home, ".skillwright") }),
    artifacts: isServer ? given : isFolder ? join(outputs, ".versions") : outputsPlace,
  });
  // A conversation in the terminal without a name is never continued; those of a server are.
  const isKept = place !== undefined || isServer || options.session !== undefined;
  return {
    ...stores,
    served: stores.records,
    records: isKept ? stores.records : memoryRecords(),
    outputs,
    lock,
    keep: configured.keep,
  };
}

async function readLock(path: string): Promise<LockFile> {
  return parseLockFile(await readFile(path, "utf8"), path);
}
