import { type CallOptions, SkillError } from "@skillwright/core";
import { isAlive, type Pod } from "../pod/pod.js";
import { ANNOTATIONS, shortHash, workspaceNotFound } from "../pod/pod-names.js";
import type { WorkspacePods } from "../pod/workspace-pods.js";
import { podEnd } from "./pod-end.js";

/** What is recorded about a workspace on its pod, where no command reaches it. */
export interface PodRecord {
  staged(options: CallOptions): Promise<ReadonlyMap<string, string>>;
  stage(name: string, digest: string | undefined, options: CallOptions): Promise<void>;
  notes(options: CallOptions): Promise<ReadonlyMap<string, string>>;
  /** @throws SkillError `LIMIT_EXCEEDED` when the record would be larger than the cluster keeps. */
  note(key: string, text: string | undefined, options: CallOptions): Promise<void>;
  /** @throws SkillError `WORKSPACE_NOT_FOUND`. */
  pod(options: CallOptions): Promise<Pod>;
}

/** All annotations of an object together. */
const MOST_BYTES = 256 * 1024;

export function podRecord(pods: WorkspacePods, id: string, first: Pod): PodRecord {
  async function pod(options: CallOptions): Promise<Pod> {
    const found = await pods.look(first, options);
    if (!found || !isAlive(found)) throw workspaceNotFound(id, podEnd(found));
    return found;
  }

  async function entries(prefix: string, options: CallOptions): Promise<ReadonlyMap<string, string>> {
    const { annotations = {} } = (await pod(options)).metadata;
    const found = Object.entries(annotations).filter(([name]) => name.startsWith(prefix));
    return new Map(found.map(([, text]) => JSON.parse(text) as [string, string]));
  }

  async function set(
    prefix: string,
    key: string,
    value: string | undefined,
    options: CallOptions,
  ): Promise<void> {
    const text = value === undefined ? null : JSON.stringify([key, value]);
    if (text !== null && Buffer.byteLength(text) > MOST_BYTES) throw tooLong(key);
    try {
      const annotations = { [`${prefix}${shortHash(key)}`]: text };
      await pods.change(id, first, { annotations }, options);
    } catch (error) {
      throw SkillError.is(error) && error.details["status"] === 422 ? tooLong(key) : error;
    }
  }

  return {
    pod,
    staged: (options) => entries(ANNOTATIONS.staged, options),
    stage: (name, digest, options) => set(ANNOTATIONS.staged, name, digest, options),
    notes: (options) => entries(ANNOTATIONS.note, options),
    note: (key, text, options) => set(ANNOTATIONS.note, key, text, options),
  };
}

function tooLong(key: string): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The note ${JSON.stringify(key.slice(0, 80))} does not fit: the cluster keeps at most ${MOST_BYTES} bytes for each workspace. Store long content in a file.`,
    { details: { limit: MOST_BYTES } },
  );
}
