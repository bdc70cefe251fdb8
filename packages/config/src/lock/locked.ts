import {
  type ByteStream,
  type CallOptions,
  containedPath,
  type Diagnostic,
  type ManifestFile,
  type Skill,
  SkillError,
  type SkillListing,
  type SkillManifest,
  type SkillRepository,
  type SkillSummary,
} from "@skillwright/core";
import { spanned, verifiedContent, verifiedStream } from "@skillwright/core/adapter";
import type { LockedSkill, LockFile } from "./lock-file.js";

export interface LockedOptions {
  /** Only the entries of this source, as written in the lock file. Defaults to all. */
  readonly source?: string | undefined;
}

/**
 * Restricts the repository to a lock file: content that differs from the file is refused.
 *
 * - `list` returns the locked skills. A skill whose digest is known to differ is broken with `lock.mismatch`; skills
 *   that the file does not name are reported as `lock.not-locked`, missing ones as `lock.missing`.
 * - `load` loads the locked version where the repository keeps versions, and fails with `DIGEST_MISMATCH` where the
 *   content differs, and with `SKILL_NOT_FOUND` for a skill that the file does not name.
 * - `open` and `reader` verify each file against the locked content while it streams: other bytes fail with
 *   `DIGEST_MISMATCH`.
 *
 * Closing this closes the repository.
 */
export function locked(
  repository: SkillRepository,
  lock: LockFile,
  { source }: LockedOptions = {},
): SkillRepository {
  const entries = new Map(
    Object.entries(lock.skills).filter(([, entry]) => source === undefined || entry.source === source),
  );

  const list: SkillRepository["list"] = async (options) => {
    const { skills, broken, diagnostics } = await repository.list(options);
    const known = skills.filter(({ name }) => entries.has(name));
    const changed = known.filter((skill) => isChanged(skill, entries.get(skill.name)));
    const present = new Set(known.map(({ name }) => name));
    return {
      skills: known.filter((skill) => !changed.includes(skill)),
      broken: [...broken, ...changed.map(brokenByLock)].sort((one, other) =>
        one.path < other.path ? -1 : 1,
      ),
      diagnostics: [
        ...diagnostics,
        ...skills.filter(({ name }) => !entries.has(name)).map(({ name }) => notLocked(name)),
        ...[...entries.keys()].filter((name) => !present.has(name)).map(missing),
      ],
    } satisfies SkillListing;
  };

  const { find: findThere } = repository;
  const find: SkillRepository["find"] =
    findThere &&
    (async (name, options) => {
      const found = await findThere.call(repository, name, options);
      const entry = found && entries.get(found.name);
      return entry && !isChanged(found, entry) ? found : undefined;
    });

  async function load(name: string, options: CallOptions = {}): Promise<Skill> {
    const entry = entries.get(name);
    if (!entry) throw notFound(name);
    const skill = await repository.load(name, { ...options, version: versionOf(repository, entry) });
    if (skill.digest === entry.digest) return skill;
    throw mismatch(name, entry.digest, skill.digest);
  }

  async function open(name: string, path: string, options: CallOptions = {}): Promise<ByteStream> {
    const { manifest } = await load(name, options);
    const version = versionOf(repository, entries.get(name));
    const bytes = await repository.open(name, path, { ...options, version });
    return verifiedStream(fileOf(manifest, path), bytes);
  }

  const reader: NonNullable<SkillRepository["reader"]> = async (name, options = {}) => {
    const { manifest } = await load(name, options);
    const version = versionOf(repository, entries.get(name));
    const read = await repository.reader?.(name, { ...options, version });
    if (!read) return (path) => open(name, path, options);
    return async (path) => verifiedContent(fileOf(manifest, path), await read(path));
  };

  const own: SkillRepository = {
    get label() {
      return repository.label;
    },
    list,
    ...(find && { find }),
    load,
    open,
    reader,
    refresh: (options) => repository.refresh(options),
    close: () => repository.close(),
    [Symbol.asyncDispose]: () => repository.close(),
  };
  return spanned("repository", own, { repository: "locked" });
}

/** Repositories without versions are asked for their current content, which the digest then verifies. */
function versionOf(repository: SkillRepository, entry: LockedSkill | undefined): string | undefined {
  return "versions" in repository || "commit" in repository ? entry?.version : undefined;
}

/** Compares the listed digest; without one only a load can tell. */
function isChanged({ digest }: SkillSummary, entry: LockedSkill | undefined): boolean {
  return digest !== undefined && entry?.version === undefined && digest !== entry?.digest;
}

/** The opened file is in the manifest that was just loaded, or was added since. */
function fileOf({ files }: SkillManifest, path: string): ManifestFile {
  const file = files.find((one) => one.path === containedPath(path));
  if (file) return file;
  throw new SkillError("FILE_NOT_FOUND", `The locked skill has no file "${path}". Load it to see its files.`);
}

function brokenByLock({ name, path }: SkillSummary) {
  const diagnostic: Diagnostic = {
    code: "lock.mismatch",
    severity: "error",
    message: `The skill "${name}" differs from the lock file.`,
    hint: 'Restore the locked content with "skillwright install", or lock the present content with "skillwright update".',
  };
  return { path, diagnostics: [diagnostic] };
}

function notLocked(name: string): Diagnostic {
  return {
    code: "lock.not-locked",
    severity: "info",
    message: `The skill "${name}" is not in the lock file, so it is left out.`,
    hint: `Add it with "skillwright lock" to use it.`,
  };
}

function missing(name: string): Diagnostic {
  return {
    code: "lock.missing",
    severity: "warning",
    message: `The locked skill "${name}" is missing.`,
    hint: 'Run "skillwright install", or remove it from the lock file.',
  };
}

function notFound(name: string): SkillError {
  const { message, hint } = notLocked(name.slice(0, 80));
  return new SkillError("SKILL_NOT_FOUND", `${message} ${hint}`);
}

function mismatch(name: string, expected: string, actual: string): SkillError {
  return new SkillError(
    "DIGEST_MISMATCH",
    `The skill "${name}" has the digest ${actual}, but the lock file says ${expected}. ` +
      'Restore the locked content with "skillwright install", or lock the present content with "skillwright update".',
    { details: { skill: name, expected, actual } },
  );
}
