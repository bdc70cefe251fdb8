import {
  type Diagnostic,
  type Skill,
  SkillError,
  type SkillRepository,
  type SkillSummary,
} from "@skillwright/core";
import {
  checkAborted,
  manifestSize,
  recentlyUsed,
  type SkillVersionOptions,
} from "@skillwright/core/adapter";
import { fileOpener } from "./file-opener.js";
import type { HeldContent, HeldDirectory, WantedContent } from "./held-content.js";
import { isDigest, markKey, summaryNamed, versionKey } from "./skill-names.js";
import { listedSkill, type StoredSkill, storedSkill } from "./stored-skill.js";

export interface CachedSkillsOptions {
  readonly repository: SkillRepository;
  readonly held: HeldContent;
  /** Prefix of the repository's aliases in the content store. Without it, no aliases are used. */
  readonly name: string | undefined;
  /** Limits for skills in memory: their number, and their characters and files (a file counts as 256 characters). */
  readonly skills: number;
  readonly characters: number;
}

/**
 * Caches skills in memory and in the content store, identified by what a listing tells of them. Results may be shared:
 * copy them.
 */
export interface CachedSkills {
  /** Costs a `find`, otherwise a listing, or nothing for a version. `undefined` where only the repository can tell. */
  recall(name: string, options: SkillVersionOptions): Promise<Skill | undefined>;
  /**
   * Loads the skill from the repository and stores its files in the content store. A failure to store is reported as a
   * diagnostic of the skill.
   */
  fetch(name: string, options: SkillVersionOptions): Promise<Skill>;
  /**
   * Returns a version that the repository failed to load from the content store; throws the failure where it is not
   * stored.
   */
  pinned(name: string, failure: unknown, options: SkillVersionOptions): Promise<Skill>;
  forget(): void;
}

/** How often a skill that changes while its files are fetched is loaded. */
const ATTEMPTS = 3;
const CHARACTERS_A_FILE = 256;

export function cachedSkills(options: CachedSkillsOptions): CachedSkills {
  const { repository, held, name: own } = options;
  const loaded = recentlyUsed<Skill>({ entries: options.skills, weight: options.characters });

  const recall: CachedSkills["recall"] = async (name, { version, signal }) => {
    checkAborted(signal);
    if (version !== undefined) return loaded.get(versionKey(name, version));
    const summary = repository.find
      ? await repository.find(name, { signal })
      : summaryNamed(await repository.list({ signal }), name);
    if (!summary) return undefined;
    const known = loaded.get(markKey(summary));
    if (!known || (summary.digest ?? known.digest) !== known.digest) return await stored(summary, signal);
    return { ...known, ...summary, digest: known.digest, diagnostics: known.diagnostics };
  };

  const fetch: CachedSkills["fetch"] = async (name, { version, signal }) => {
    for (let attempt = 1; ; attempt++) {
      const skill = await repository.load(name, { version, signal });
      const failure = await fill(skill, name, { version, signal });
      if (failure?.code === "DIGEST_MISMATCH" && attempt < ATTEMPTS) continue;
      const told = failure
        ? { ...skill, diagnostics: [...skill.diagnostics, notCached(skill, failure)] }
        : skill;
      remember(version === undefined ? markKey(skill) : versionKey(name, version), told);
      return told;
    }
  };

  const pinned: CachedSkills["pinned"] = async (name, failure, { version, signal }) => {
    const { code, message } = SkillError.from(failure, `Asking ${repository.label}`);
    const wanted = code === "BACKEND_FAILED" && version !== undefined && wantedVersion(name, version);
    const found = wanted ? await find(wanted, name, signal) : undefined;
    if (found?.parsed.name !== name) throw failure;
    const { parsed, manifest, digest } = found;
    const { description, frontmatter, body } = parsed;
    const diagnostics = [unasked(repository.label, code, message)];
    return {
      name,
      description,
      path: name,
      frontmatter,
      changeMark: digest,
      digest,
      diagnostics,
      body,
      manifest,
    };
  };

  return { recall, fetch, pinned, forget: () => void loaded.clear() };

  async function stored(summary: SkillSummary, signal: AbortSignal | undefined): Promise<Skill | undefined> {
    const wanted = summary.digest === undefined ? aliased(markKey(summary)) : { digest: summary.digest };
    const found = wanted && (await find(wanted, summary.path, signal));
    const skill = found && listedSkill(summary, found.digest, found);
    if (skill) remember(markKey(summary), skill);
    return skill;
  }

  /** A failing store counts as empty; the failure is reported when something is to be stored. */
  async function find(
    wanted: WantedContent,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<(StoredSkill & HeldDirectory) | undefined> {
    try {
      const content = await held.find(wanted, { signal });
      const skill = content && (await storedSkill(content, path.split("/").at(-1) ?? "", signal));
      if (!content || !skill) return undefined;
      held.weigh(content.digest, manifestSize(skill.manifest));
      return { digest: content.digest, directory: content.directory, ...skill };
    } catch {
      checkAborted(signal);
      return undefined;
    }
  }

  async function fill(
    skill: Skill,
    name: string,
    { version, signal }: SkillVersionOptions,
  ): Promise<SkillError | undefined> {
    const alias =
      version === undefined
        ? aliasOf(markKey(skill))
        : isDigest(version)
          ? undefined
          : aliasOf(versionKey(name, version));
    try {
      const open = fileOpener(repository, name, { version, signal });
      const { digest } = await held.make(skill.manifest, open, { alias, signal });
      return digest === skill.digest ? undefined : otherDigest(skill, digest);
    } catch (error) {
      checkAborted(signal);
      return SkillError.from(error, "Putting it into the content store");
    }
  }

  function remember(key: string, skill: Skill): void {
    const { body, manifest } = skill;
    loaded.put(key, skill, body.length + CHARACTERS_A_FILE * manifest.files.length);
  }

  function wantedVersion(name: string, version: string): WantedContent | undefined {
    if (isDigest(version)) return { digest: version };
    return aliased(versionKey(name, version));
  }

  function aliased(key: string): WantedContent | undefined {
    const alias = aliasOf(key);
    return alias === undefined ? undefined : { alias };
  }

  function aliasOf(key: string): string | undefined {
    return own === undefined ? undefined : `${own}\n${key}`;
  }
}

function otherDigest({ name, digest }: Skill, made: string): SkillError {
  const message = `The repository returned the digest ${digest} for "${name}", but its manifest has ${made}. Repair the repository.`;
  return new SkillError("DIGEST_MISMATCH", message);
}

function notCached({ name }: Skill, { code, message }: SkillError): Diagnostic {
  return {
    code: "cache.failed",
    severity: "warning",
    message: `The files of "${name}" are not in the content store (${code}): ${message}`,
    hint: "They are read from the repository. Repair the content store and refresh.",
  };
}

function unasked(label: string, code: string, message: string): Diagnostic {
  return {
    code: "repository.failed",
    severity: "warning",
    message: `The skill comes from the content store, because the repository "${label}" cannot be reached (${code}): ${message}`,
    hint: "Its path in the repository is unknown. Repair the repository to load other versions.",
  };
}
