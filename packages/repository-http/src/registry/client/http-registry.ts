import {
  byteStream,
  type CallOptions,
  containedPath,
  type Skill,
  type SkillListing,
  type VersionedSkillRepository,
  type WatchableSkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { attempts, checkAborted, fileNotFound, spanned } from "@skillwright/core/adapter";
import type { ArchiveWriter } from "../../archive-writer.js";
import type { HttpRepositoryOptions } from "../../http-repository-options.js";
import { httpSettings } from "../../http-settings.js";
import { downloads } from "../../transfer/downloads.js";
import type { VersionLabels } from "../registry-labels.js";
import { announcedUpload } from "./announced-upload.js";
import { readLabels, readListing, readRemoved, readVersions } from "./registry-answers.js";
import { registryCalls } from "./registry-calls.js";
import { type RemoteSkill, remoteSkills } from "./remote-skills.js";
import { watchRegistry } from "./watch-registry.js";

export interface HttpRegistryOptions
  extends Omit<HttpRepositoryOptions, "digest" | "leaveOut" | "allowOrigins" | "openArchive"> {
  /** `openArchive` of `@skillwright/archive`. */
  readonly openArchive: NonNullable<HttpRepositoryOptions["openArchive"]>;
  /** `writeArchive` of `@skillwright/archive`. */
  readonly writeArchive: ArchiveWriter;
}

/** A registry of skills on another machine, with versions, labels and notices of changes. */
export interface HttpRegistry
  extends WritableSkillRepository,
    VersionedSkillRepository,
    WatchableSkillRepository {
  /** Versions, newest first; empty for an unknown skill, and where the registry keeps no versions. */
  versions: VersionedSkillRepository["versions"];
  /** Versions by label. @throws SkillError `UNSUPPORTED` where the registry has none. */
  labels(name: string, options?: CallOptions): Promise<VersionLabels>;
  /**
   * Moves the label to that version, or creates it.
   * @throws SkillError `SKILL_NOT_FOUND` for an unknown version; `INPUT_INVALID` for an invalid label; `CONFLICT` for
   * the name of a version; `REFUSED`, `UNSUPPORTED`.
   */
  setLabel(name: string, label: string, version: string, options?: CallOptions): Promise<void>;
  /** Removes the label; nothing happens where there is none. */
  removeLabel(name: string, label: string, options?: CallOptions): Promise<void>;
}

/**
 * A registry that `registryHandler` serves, at its https address: reads and publishes skills with their versions and
 * labels. A version can be given as it is listed, by its digest, or by a label. Each call asks the registry; a skill is
 * transferred as an archive, whose files must have the digest that the registry names, and again only when it changed.
 * `watch` waits at the registry for changes, and tries again, at most every 30 seconds, while it cannot be reached.
 *
 * Addresses, headers, time and size are limited as in `httpRepository`. Redirects are refused.
 *
 * @throws SkillError `CONFIG_INVALID`, at once, for invalid options. Every call: the code that the registry answers,
 * `DIGEST_MISMATCH`, `REFUSED`, `LIMIT_EXCEEDED`, `BACKEND_FAILED`, `CLOSED`.
 */
export function httpRegistry(options: HttpRegistryOptions): HttpRegistry {
  const { openArchive, writeArchive } = options;
  const settings = httpSettings(options);
  const { limits, shown, silenceMs } = settings;
  const transfer = downloads(settings);
  const calls = registryCalls(settings, transfer);
  const skills = remoteSkills(calls, { openArchive, limits });
  const attempt = attempts(shown);
  const stopped = new AbortController();

  const list: HttpRegistry["list"] = ({ signal } = {}) =>
    attempt(
      "Listing",
      signal,
      async (): Promise<SkillListing> => readListing(await calls.json("GET", "skills", {}, signal)),
    );

  const load: HttpRegistry["load"] = (name, { version, signal } = {}) =>
    attempt(
      `Loading "${name}"`,
      signal,
      async (): Promise<Skill> => structuredClone((await skills.get(name, version, signal)).skill),
    );

  const open: HttpRegistry["open"] = (name, path, { version, signal } = {}) =>
    attempt(`Opening "${path}" of "${name}"`, signal, async () => {
      containedPath(path);
      return byteStream(fileOf(await skills.get(name, version, signal), name, path));
    });

  const reader: NonNullable<HttpRegistry["reader"]> = (name, { version, signal } = {}) =>
    attempt(`Opening "${name}"`, signal, async () => {
      const found = await skills.get(name, version, signal);
      return async (path) => {
        checkAborted(signal);
        return fileOf(found, name, containedPath(path));
      };
    });

  const refresh: HttpRegistry["refresh"] = ({ signal } = {}) =>
    attempt("Refreshing", signal, () => undefined);

  const upload: HttpRegistry["upload"] = async (files, { existing = "replace", signal } = {}) => {
    checkAborted(signal);
    const announced = await announcedUpload(files, { writeArchive, limits, signal });
    const { name, digest } = announced;
    return await attempt(`Publishing "${name}"`, signal, async () => {
      const query = { skill: name, digest, existing };
      return announced.stored(await calls.json("PUT", "skill", query, signal, announced.bytes));
    });
  };

  const remove: HttpRegistry["delete"] = (name, { signal } = {}) =>
    attempt(`Deleting "${name}"`, signal, async () =>
      readRemoved(await calls.json("DELETE", "skill", { skill: name }, signal)),
    );

  const versions: HttpRegistry["versions"] = (name, { signal } = {}) =>
    attempt(`Listing the versions of "${name}"`, signal, async () =>
      readVersions(await calls.json("GET", "versions", { skill: name }, signal)),
    );

  const labels: HttpRegistry["labels"] = (name, { signal } = {}) =>
    attempt(`Listing the labels of "${name}"`, signal, async () =>
      readLabels(await calls.json("GET", "labels", { skill: name }, signal)),
    );

  const setLabel: HttpRegistry["setLabel"] = (name, label, version, { signal } = {}) =>
    attempt(`Labelling "${name}"`, signal, async () => {
      await calls.json("PUT", "label", { skill: name, label, version }, signal);
    });

  const removeLabel: HttpRegistry["removeLabel"] = (name, label, { signal } = {}) =>
    attempt(`Labelling "${name}"`, signal, async () => {
      await calls.json("DELETE", "label", { skill: name, label }, signal);
    });

  async function close(): Promise<void> {
    stopped.abort();
    skills.clear();
    await transfer.close();
  }

  const registry: HttpRegistry = {
    label: `registry ${shown}`,
    labels,
    setLabel,
    removeLabel,
    list,
    load,
    open,
    reader,
    refresh,
    upload,
    delete: remove,
    versions,
    watch: (listener) => watchRegistry(calls, { listener, silenceMs, stopped: stopped.signal }),
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", registry, { repository: "registry" });
}

function fileOf({ files }: RemoteSkill, name: string, path: string): Uint8Array {
  const file = files.get(path);
  if (file) return Uint8Array.from(file.bytes);
  throw fileNotFound(name, path);
}
