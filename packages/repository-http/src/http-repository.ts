import { byteStream, containedPath, type SkillRepository } from "@skillwright/core";
import {
  attempts,
  checkAborted,
  invalidSkill,
  isSummary,
  sharedWork,
  skillListing,
  skillNotFound,
  spanned,
} from "@skillwright/core/adapter";
import type { HttpRepositoryOptions } from "./http-repository-options.js";
import { httpSettings } from "./http-settings.js";
import type { Fetching } from "./payload/fetched-files.js";
import { fetchCatalogue } from "./skills/fetch-catalogue.js";
import { keptContents } from "./skills/kept-contents.js";
import { type OpenedSkill, openSkill } from "./skills/open-skill.js";
import { listedSkill, placeSkill } from "./skills/place-skill.js";
import { scanCollection } from "./skills/scan-collection.js";
import { type SkillCollection, skillCollection } from "./skills/skill-collection.js";
import { downloads } from "./transfer/downloads.js";

/**
 * The skills at an https URL: an archive (zip or tar.gz, with `openArchive`), a SKILL.md, or an index of Agent Skills
 * Discovery 0.2.0 or 0.1. Read-only.
 *
 * Hosts are contacted only where all their addresses are public, at the addresses that were checked; redirects are
 * checked in the same way, and followed five times. Digests in an index, and `digest` for the URL itself, are verified
 * before use. Nothing is fetched before the first call; listing an index fetches each of its skills once. `refresh`
 * asks again, with the validators that the server provided; if it fails, the previous state is kept.
 *
 * The version of a skill is its digest.
 *
 * @throws SkillError `CONFIG_INVALID`, at once, for invalid options. Every call that fetches: `REFUSED` for a URL that
 * is not allowed, `LIMIT_EXCEEDED`, `DIGEST_MISMATCH`, `SKILL_INVALID` for content that is not a skill, `UNSUPPORTED`
 * for an index of another version, `CONFIG_INVALID` for an archive without `openArchive`, `BACKEND_FAILED`, and
 * `CLOSED`. No message contains credentials or the query of a URL.
 */
export function httpRepository(options: HttpRepositoryOptions): SkillRepository {
  const settings = httpSettings(options);
  const { limits, leaveOut, openArchive, shown } = settings;
  const fetching: Fetching = { downloads: downloads(settings), limits, leaveOut, openArchive };
  const contents = keptContents(limits.keptBytes);
  let current: SkillCollection | undefined;
  let started = 0;
  let taken = 0;
  const firstUse = sharedWork(update);
  const attempt = attempts(shown);

  const list: SkillRepository["list"] = ({ signal } = {}) =>
    attempt("Listing", signal, async () => {
      const collection = await now(signal);
      const { skills, broken, diagnostics } = skillListing(await scanCollection(collection, signal));
      const all = [...broken, ...collection.catalogue.broken].sort((a, b) => (a.path < b.path ? -1 : 1));
      return structuredClone({ skills, broken: all, diagnostics });
    });

  const find: NonNullable<SkillRepository["find"]> = (name, { signal } = {}) =>
    attempt(`Looking for "${name}"`, signal, async () => {
      const found = (await listedSkill(await now(signal), name, signal))?.found;
      return found && isSummary(found) ? structuredClone(found) : undefined;
    });

  const load: SkillRepository["load"] = (name, { signal, version } = {}) =>
    attempt(`Loading "${name}"`, signal, async () => {
      const { skill } = await opened(name, version, signal);
      return structuredClone(skill);
    });

  const open: SkillRepository["open"] = (name, path, { signal, version } = {}) =>
    attempt(`Opening "${path}" of "${name}"`, signal, async () => {
      containedPath(path);
      const { read } = await opened(name, version, signal);
      return byteStream(read(path));
    });

  const reader: NonNullable<SkillRepository["reader"]> = (name, { signal, version } = {}) =>
    attempt(`Opening "${name}"`, signal, async () => {
      const { read } = await opened(name, version, signal);
      return async (path) => {
        checkAborted(signal);
        return read(containedPath(path));
      };
    });

  const refresh: SkillRepository["refresh"] = ({ signal } = {}) =>
    attempt("Refreshing", signal, async () => void (await update(signal)));

  async function close(): Promise<void> {
    contents.clear();
    current = undefined;
    await fetching.downloads.close();
  }

  const repository: SkillRepository = {
    label: `http ${shown}`,
    list,
    find,
    load,
    open,
    reader,
    refresh,
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", repository, { repository: "http" });

  async function now(signal: AbortSignal | undefined): Promise<SkillCollection> {
    return current ?? (await firstUse(signal));
  }

  async function update(signal: AbortSignal | undefined): Promise<SkillCollection> {
    const turn = ++started;
    const before = current;
    const fetched = await fetchCatalogue(settings, fetching, before?.catalogue.validators, signal);
    const catalogue = fetched === "unchanged" ? before?.catalogue : fetched;
    if (!catalogue) throw new Error("the server did not send a file that is not cached");
    const seen = skillCollection(catalogue, before, { fetching, contents });
    // A later request has the newer state.
    if (turn > taken) [taken, current] = [turn, seen];
    return seen;
  }

  async function opened(
    name: string,
    version: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<OpenedSkill> {
    const collection = await now(signal);
    const placed = await placeSkill(collection, name, signal);
    const broken = collection.catalogue.broken.find(({ path }) => path === name);
    if (!placed) throw broken ? invalidSkill(broken) : skillNotFound(`no skill "${name}"`, shown);
    const found = await openSkill(placed, name, signal);
    if (version === undefined || version === found.skill.digest) return found;
    throw skillNotFound(`no version "${version}" of the skill "${name}", but ${found.skill.digest},`, shown);
  }
}
