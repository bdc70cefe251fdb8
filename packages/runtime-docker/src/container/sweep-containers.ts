import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import {
  type ContainerRecord,
  labelFilter,
  readLabels,
  recordOfContainer,
  WAITING_PREFIX,
} from "./container-labels.js";
import { type FoundContainer, findContainer, hasLayout } from "./found-container.js";
import { hasConnection } from "./has-connection.js";
import { isLost } from "./lost-storage.js";
import { removeVolume, removeWhole } from "./remove-container.js";

const LEAST_AGE_MS = 60_000;

/** Ids that no workspace can have, for containers used only for tests. */
export const PROBE_PREFIX = "probe.";

export interface ContainerSurvey {
  /** The workspaces' ids, sorted. */
  ids(options?: CallOptions): Promise<readonly string[]>;
  /**
   * Removes what killed processes left unfinished, containers that lost their files, and unused volumes, once they are
   * a minute old by the engine's clock. Foreign objects are never touched.
   */
  sweep(options?: CallOptions): Promise<void>;
}

/** @param leastAgeMs Younger objects are left alone, because they may be under construction. */
export function containerSurvey(
  engine: EngineClient,
  namespace: string,
  leastAgeMs = LEAST_AGE_MS,
): ContainerSurvey {
  const whole = new Set<string>();

  async function ours(options?: CallOptions): Promise<readonly ListedContainer[]> {
    const filters = { label: labelFilter(namespace) };
    const list = (abortSignal: AbortSignal) =>
      engine.docker.listContainers({ all: true, filters, abortSignal });
    const listed = await engine.call("Listing containers", list, options);
    return listed.flatMap((info) => {
      const volumes = (info.Mounts ?? []).map((mount) => mount.Name);
      const record = recordOfContainer(info.Labels, { names: info.Names, volumes });
      // Podman returns objects that have any of the labels.
      return record?.namespace === namespace ? [{ id: info.Id, record, state: info.State }] : [];
    });
  }

  /** Containers with their directories in place, according to the listing or to a check. */
  async function isWhole({ id, record, state }: ListedContainer, options?: CallOptions): Promise<boolean> {
    if (isNoWorkspace(record) || NOT_YET_OR_NO_MORE.has(state)) return false;
    if (record.storage === "memory" && STOPPED.has(state)) return false;
    if (whole.has(id)) return true;
    if (!(await hasLayout(engine, id, options))) return false;
    whole.add(id);
    return true;
  }

  async function sweep(options?: CallOptions): Promise<void> {
    const suspects: ListedContainer[] = [];
    const all = await ours(options);
    for (const listed of all) if (!(await isWhole(listed, options))) suspects.push(listed);
    const used = new Set(all.map(({ record }) => record.volume));
    const volumes = (await ownVolumes(engine, namespace, options)).filter(({ name }) => !used.has(name));
    if (suspects.length === 0 && volumes.length === 0) return;
    const now = await engineTime(engine, options);
    for (const { record } of suspects) await sweepContainer(record, now, options);
    for (const volume of volumes)
      if (now - Date.parse(volume.createdAt) > leastAgeMs) await removeUnused(volume.name, options);
  }

  async function sweepContainer(record: ContainerRecord, now: number, options?: CallOptions): Promise<void> {
    const found = await findContainer(engine, record.namespace, record.workspaceId, options);
    if (!found || found === "stranger" || !(now - found.changedMs > leastAgeMs)) return;
    if (await isLeftBehind(engine, found, options)) await removeWhole(engine, found, options);
  }

  /** A volume that is in use after all is kept. */
  async function removeUnused(name: string, options?: CallOptions): Promise<void> {
    try {
      await removeVolume(engine, name, options);
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
    }
  }

  return {
    ids: async (options) => {
      const found: string[] = [];
      for (const listed of await ours(options))
        if (await isWhole(listed, options)) found.push(listed.record.workspaceId);
      return found.sort();
    },
    sweep,
  };
}

/** True if it is no longer a workspace, or never became one. */
export async function isLeftBehind(
  engine: EngineClient,
  found: FoundContainer,
  options?: CallOptions,
): Promise<boolean> {
  const { workspaceId } = found.record;
  if (workspaceId.startsWith(PROBE_PREFIX) || found.state === "made") return true;
  if (found.state === "going") return false;
  if (workspaceId.startsWith(WAITING_PREFIX)) return !(await hasConnection(engine, found.id, options));
  if (found.record.storage === "memory") return await isLost(engine, found, options);
  return !(await hasLayout(engine, found.id, options));
}

function isNoWorkspace({ workspaceId }: ContainerRecord): boolean {
  return workspaceId.startsWith(PROBE_PREFIX) || workspaceId.startsWith(WAITING_PREFIX);
}

/** True if a new container may replace this one, because this one will never be usable, or is old and unfinished. */
export async function mayBeReplaced(
  engine: EngineClient,
  found: FoundContainer,
  options?: CallOptions,
): Promise<boolean> {
  if (!(await isLeftBehind(engine, found, options))) return false;
  return found.state === "stopped" || (await engineTime(engine, options)) - found.changedMs > LEAST_AGE_MS;
}

const NOT_YET_OR_NO_MORE = new Set(["created", "configured", "removing", "dead"]);
const STOPPED = new Set(["exited", "stopped"]);

interface ListedContainer {
  readonly id: string;
  readonly record: ContainerRecord;
  readonly state: string;
}

interface OwnVolume {
  readonly name: string;
  readonly createdAt: string;
}

async function ownVolumes(
  engine: EngineClient,
  namespace: string,
  options?: CallOptions,
): Promise<readonly OwnVolume[]> {
  const filters = { label: labelFilter(namespace) };
  const list = (abortSignal: AbortSignal) => engine.docker.listVolumes({ filters, abortSignal });
  const { Volumes: volumes } = await engine.call("Listing volumes", list, options);
  return ((volumes ?? []) as (Dockerode.VolumeInspectInfo & { CreatedAt?: string })[]).flatMap((volume) => {
    const { Name: name, Labels: labels, CreatedAt: createdAt = "" } = volume;
    const isOwn = (said: ContainerRecord) => said.namespace === namespace && said.volume === name;
    return readLabels(labels, isOwn) ? [{ name, createdAt }] : [];
  });
}

/** If the time is unknown, nothing counts as old. */
async function engineTime(engine: EngineClient, options?: CallOptions): Promise<number> {
  const ask = () => engine.docker.info();
  const { SystemTime: time } = (await engine.call("Asking the engine for its time", ask, options)) as {
    SystemTime?: string;
  };
  return Date.parse(time ?? "");
}
