import { mkdir } from "node:fs/promises";
import {
  type CallOptions,
  type Diagnostic,
  readBytes,
  SKILL_LIMITS,
  type Skill,
  SkillError,
  type SkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import { fsRepository } from "@skillwright/repository-fs";
import type { LockedSkill, LockFile } from "../lock/lock-file.js";
import { locked } from "../lock/locked.js";
import { noteInstalled, readInstallRecord } from "./install-record.js";

export interface InstallOptions extends CallOptions {
  /** Absolute; created where it does not exist. Each skill gets a folder of its name in it. */
  readonly directory: string;
  /** Opens the repository of an entry; it is closed afterwards. */
  readonly open: (entry: LockedSkill) => Promise<SkillRepository>;
  /** Only these skills. Defaults to all. */
  readonly names?: readonly string[] | undefined;
  /** Replaces nothing: installs what is missing and refuses what differs from the lock file. Defaults to false. */
  readonly frozen?: boolean | undefined;
  /** Also replaces skills that were not installed from here, or were edited since. Defaults to false. */
  readonly force?: boolean | undefined;
  /**
   * Checks the files of a skill before any of them is written, such as a scanner or a policy; an exception or a rejection
   * is that skill's failure. The files were already verified against the lock file. The installation waits for it, without
   * a limit of time; an abort does not.
   */
  readonly check?:
    | ((name: string, files: readonly DownloadedFile[], options: CheckOptions) => void | Promise<void>)
    | undefined;
  /** Called with each skill's result. */
  readonly onResult?: ((result: InstallResult) => void) | undefined;
}

export interface CheckOptions extends CallOptions {
  /** What the source says of the skill, such as the files that it leaves out: links that leave the skill, submodules. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface DownloadedFile {
  readonly path: string;
  readonly executable: boolean;
  readonly content: Uint8Array;
}

export interface InstallResult {
  readonly name: string;
  readonly entry: LockedSkill;
  /** `failed`: the previous state is unchanged. */
  readonly state: "installed" | "replaced" | "unchanged" | "failed";
  /** Present where `state` is `failed`. */
  readonly error?: SkillError;
}

/**
 * Installs the skills of a lock file into a folder: each completely or not at all, every file verified against its
 * digest before the skill appears. A failure does not stop the others.
 *
 * Failures, in the results: `DIGEST_MISMATCH` where the source's content differs from the locked one, and in frozen
 * mode where the folder's does; `SKILL_EXISTS` where a folder of that name was not installed from here or was edited
 * since, unless forced; errors of opening and loading.
 *
 * @throws SkillError `SKILL_NOT_FOUND` for a name that the lock file does not have; `ABORTED`. What was installed
 * stays.
 */
export async function installSkills(
  lock: LockFile,
  options: InstallOptions,
): Promise<readonly InstallResult[]> {
  const { directory, names, signal, onResult } = options;
  const entries = chosen(lock, names);
  await mkdir(directory, { recursive: true });
  // A skill inside another one belongs to that one, so it is no place to install a skill of its name.
  await using target = fsRepository({ root: directory, limits: { depth: 1 } });
  const { skills: record } = await readInstallRecord(directory);
  const results: InstallResult[] = [];
  for (const [name, entry] of entries) {
    checkAborted(signal);
    const result = await installed(name, entry, target, record[name], options);
    if (result.state !== "failed" && (result.state !== "unchanged" || record[name] !== entry.digest))
      await noteInstalled(directory, name, entry.digest, async () => {
        return (await digestIn(target, name, {})) === entry.digest;
      });
    results.push(result);
    onResult?.(result);
  }
  return results;
}

function chosen(lock: LockFile, names: readonly string[] | undefined): [string, LockedSkill][] {
  const unknown = names?.find((name) => !Object.hasOwn(lock.skills, name));
  if (unknown !== undefined) {
    const known = Object.keys(lock.skills).join(", ") || "none";
    const shown = JSON.stringify(unknown.slice(0, 80));
    throw new SkillError("SKILL_NOT_FOUND", `The lock file has no skill ${shown}. It has: ${known}.`);
  }
  return Object.entries(lock.skills).filter(([name]) => names?.includes(name) ?? true);
}

async function installed(
  name: string,
  entry: LockedSkill,
  target: WritableSkillRepository,
  recorded: string | undefined,
  options: InstallOptions,
): Promise<InstallResult> {
  try {
    const present = await digestIn(target, name, options);
    if (present === entry.digest) return { name, entry, state: "unchanged" };
    if (present !== undefined) refuseReplacing(name, entry, present, recorded, options);
    await using repository = await options.open(entry);
    await copy(name, entry, repository, target, options);
    return { name, entry, state: present === undefined ? "installed" : "replaced" };
  } catch (error) {
    checkAborted(options.signal);
    return { name, entry, state: "failed", error: SkillError.from(error, `Installing "${name}"`) };
  }
}

/** Always returns a digest for existing content; for a broken skill, one that nothing else has. */
async function digestIn(
  target: SkillRepository,
  name: string,
  { signal }: CallOptions,
): Promise<string | undefined> {
  try {
    return (await target.load(name, { signal })).digest;
  } catch (error) {
    if (SkillError.is(error, "SKILL_NOT_FOUND")) return undefined;
    if (SkillError.is(error, "SKILL_INVALID")) return "broken";
    throw error;
  }
}

function refuseReplacing(
  name: string,
  { digest }: LockedSkill,
  present: string,
  recorded: string | undefined,
  { frozen, force }: InstallOptions,
): void {
  const details = { skill: name, expected: digest, actual: present };
  const foreign = `was not installed by Skillwright, or was edited since. Move it away, or replace it with "skillwright install --force".`;
  if (frozen) {
    const older = `is an older installation. Update it with "skillwright install".`;
    throw new SkillError(
      "DIGEST_MISMATCH",
      `The installed skill "${name}" has the digest ${present}, but the lock file says ${digest}. It ${present === recorded ? older : foreign}`,
      { details },
    );
  }
  if (force || present === recorded) return;
  throw new SkillError("SKILL_EXISTS", `A skill "${name}" exists that ${foreign}`, { details });
}

async function copy(
  name: string,
  entry: LockedSkill,
  repository: SkillRepository,
  target: WritableSkillRepository,
  { signal, check }: InstallOptions,
): Promise<void> {
  const held = locked(repository, { formatVersion: 1, skills: { [name]: entry } });
  const skill = await held.load(name, { signal });
  // The name in SKILL.md, which may differ from the requested one.
  if (skill.name !== name)
    throw new SkillError(
      "SKILL_INVALID",
      `The source returns the skill "${skill.name}" for "${name}". Lock it under its own name.`,
    );
  const files = await filesOf(skill, held, { signal });
  const { diagnostics } = skill;
  await untilAborted(Promise.resolve(check?.(name, files, { signal, diagnostics })), signal);
  await target.upload(files, { signal, existing: "replace" });
}

/** The files of the skill; the caller verifies them against the lock file. A skill has at most 16 MiB. */
async function filesOf(
  { name, manifest }: Skill,
  repository: SkillRepository,
  options: CallOptions,
): Promise<readonly DownloadedFile[]> {
  const read = await repository.reader?.(name, options);
  const files: DownloadedFile[] = [];
  for (const { path, executable } of manifest.files) {
    const content = await (read?.(path) ?? repository.open(name, path, options));
    files.push({ path, executable, content: await readBytes(content, SKILL_LIMITS.bytes) });
  }
  return files;
}
