import { join } from "node:path";
import {
  type ArtifactStore,
  type Closable,
  type Diagnostic,
  type RecordStore,
  SkillError,
} from "@skillwright/core";
import type { Environment } from "../clients/s3-client.js";
import { type OpenedRecords, openRecords } from "../records/open-records.js";
import { workspacesName } from "../records/workspaces-name.js";
import { openArtifacts } from "../sources/open-artifacts.js";
import { type SourceClients, sourceClients } from "../sources/source-clients.js";

export interface StoresOptions {
  /**
   * Absolute folder of the application, such as `~/.skillwright`, for everything without an address of its own. Without
   * it, both addresses are needed.
   */
  readonly data?: string | undefined;
  /** Where conversations, turns, approvals and workspaces are kept, as for `openRecords`. Defaults to `records` in `data`. */
  readonly records?: string | undefined;
  /** Where outputs are saved, as for `openArtifacts`. Defaults to `artifacts` in `data`. */
  readonly artifacts?: string | undefined;
  /** Absolute base of relative folders and files. */
  readonly cwd: string;
  /** Credentials and permissions of buckets and databases. */
  readonly env: Environment;
  /** Receives the diagnostics of `openRecords`. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** The stores of what outlives a process of an application. */
export interface Stores extends Closable {
  readonly clients: SourceClients;
  /** The store of conversations, turns and approvals, and of workspaces if the runtime has no registry of its own. */
  readonly records: RecordStore;
  /** The shared index of the skills of a source, as `openRecords` has it. */
  readonly index: OpenedRecords["index"];
  readonly artifacts: ArtifactStore;
  /** The runtime's namespace for the workspaces of the conversations in these stores. */
  readonly namespace: string;
}

/**
 * Opens the stores of an application: at the given addresses, otherwise in its data folder. Programs with the same options
 * share conversations, turns, workspaces and outputs. `close` closes all of them and the clients that were opened for them.
 * @throws SkillError `CONFIG_INVALID` for an invalid address, and for a missing one without `data`; `UNSUPPORTED` where a
 * package is not installed; `BACKEND_FAILED` where the records cannot be reached.
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { data, cwd, env, onDiagnostic } = options;
  const opened: Pick<Closable, "close">[] = [];
  const close = async (): Promise<void> => {
    for (const part of opened.reverse()) await part.close();
  };
  const kept = <T extends Pick<Closable, "close">>(part: T): T => {
    opened.push(part);
    return part;
  };
  const clients = kept(sourceClients(env));
  try {
    const opening = await openRecords(options.records ?? folder("records"), { cwd, onDiagnostic });
    const { records, index, folder: recordsFolder } = kept(opening);
    const artifacts = kept(await openArtifacts(options.artifacts ?? folder("artifacts"), { cwd, clients }));
    const namespace = await workspacesName({
      records,
      folder: options.records === undefined ? data : recordsFolder,
    });
    return {
      ...{ clients, records, index, artifacts, namespace, close },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  function folder(name: string): string {
    if (data !== undefined) return join(data, name);
    const message = `There is no folder to keep ${name} in. Give a data folder, or the addresses of records and artifacts.`;
    throw new SkillError("CONFIG_INVALID", message);
  }
}
