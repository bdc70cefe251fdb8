import { type Skill, SkillError } from "@skillwright/core";
import { invalidSkill, isSummary } from "@skillwright/core/adapter";
import type { ArchiveOpener } from "../../archive-opener.js";
import type { HttpLimits } from "../../http-repository-options.js";
import { archivedFiles } from "../../payload/archived-files.js";
import type { FetchedFile } from "../../payload/fetched-files.js";
import { readSkill } from "../../skills/found-skills.js";
import { MARK_HEADER, readMark, type SkillMark } from "../skill-mark.js";
import type { RegistryCalls } from "./registry-calls.js";

/** A skill with its files, as one answer of the registry had them. */
export interface RemoteSkill {
  readonly skill: Skill;
  readonly files: ReadonlyMap<string, FetchedFile>;
}

/** The most recently used skills; the registry is asked each time whether they are still the same. */
export interface RemoteSkills {
  get(name: string, version: string | undefined, signal: AbortSignal | undefined): Promise<RemoteSkill>;
  clear(): void;
}

interface Kept extends RemoteSkill {
  readonly etag: string;
  readonly bytes: number;
}

export function remoteSkills(
  calls: RegistryCalls,
  { openArchive, limits }: { readonly openArchive: ArchiveOpener; readonly limits: HttpLimits },
): RemoteSkills {
  const kept = new Map<string, Kept>();

  async function get(
    name: string,
    version: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<RemoteSkill> {
    const key = JSON.stringify([name, version]);
    const known = kept.get(key);
    const query = { skill: name, ...(version !== undefined && { version }) };
    const answer = await calls.archive(query, known?.etag, signal);
    if (!answer) return keep(key, known ?? unasked());
    const mark = readMark(answer.header(MARK_HEADER) ?? "") ?? unasked();
    const files = await archivedFiles(await openArchive(answer.bytes, { limits, signal }), limits);
    const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.byteLength, 0);
    const skill = markedSkill(mark, files);
    return keep(key, { skill, files, bytes, etag: answer.header("etag") ?? "" });
  }

  function keep(key: string, skill: Kept): RemoteSkill {
    // The order of a Map is insertion order.
    kept.delete(key);
    kept.set(key, skill);
    let total = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [oldest, { bytes }] of kept) {
      if (total <= limits.keptBytes || oldest === key) break;
      kept.delete(oldest);
      total -= bytes;
    }
    return skill;
  }

  return { get, clear: () => kept.clear() };
}

/**
 * The skill in these files, with what the registry tells of it.
 * @throws SkillError `DIGEST_MISMATCH` where the files are others than those that the registry names; `SKILL_INVALID`.
 */
export function markedSkill(mark: SkillMark, files: ReadonlyMap<string, FetchedFile>): Skill {
  const found = readSkill(mark.path, files);
  if (!isSummary(found)) throw invalidSkill(found);
  const { path, changeMark, digest: expected, version } = mark;
  if (found.digest !== expected) {
    const message = `The files of "${found.name}" have the digest ${found.digest}, but the registry names ${expected}. Do not use them until the reason is known.`;
    throw new SkillError("DIGEST_MISMATCH", message, { details: { expected, actual: found.digest } });
  }
  return { ...found, path, changeMark, ...(version !== undefined && { version }) };
}

function unasked(): never {
  const message = "The registry answered in an unknown form. Check its address and its version.";
  throw new SkillError("BACKEND_FAILED", message);
}
