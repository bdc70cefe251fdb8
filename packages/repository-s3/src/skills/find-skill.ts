import { isContainedPath, type SkillSummary } from "@skillwright/core";
import { isSummary, pickSkill } from "@skillwright/core/adapter";
import type { RepositoryState } from "../repository-state.js";
import { publishedSummary } from "./load-published.js";
import { remembered } from "./skill-index.js";

/**
 * The summary of the skill of this name, otherwise at this path, as a load would give it; `undefined` where there is none, and for a
 * broken one. Costs a listing of one key for what was published under the name, and a listing of the folder where the skill was seen
 * last. The bucket is listed only where the skill is not there, and where nothing was listed before: only the whole listing tells which
 * folder has the name, and which ones are hidden.
 */
export async function findSkill(
  state: RepositoryState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<SkillSummary | undefined> {
  const { index, records } = state;
  if (name === "") return undefined;
  const last = state.last && pickSkill(state.last.skills, name);
  const place = last?.folder;
  const [newest, plain] = await Promise.all([
    isContainedPath(name) ? records.newest(name, signal) : undefined,
    place && index.lookAt(place, signal),
  ]);
  const record = newest?.record;
  const publication = record?.publication;
  if (publication?.kind === "published") return publishedSummary(publication);
  if (record && !publication) return undefined;
  const isDeleted = publication?.kind === "deleted";
  const found = plain?.found;
  if (!isDeleted && found && isSummary(found) && (found.name === name || found.path === name)) return found;
  const isStillBroken = last && !isSummary(last.found) && found && !isSummary(found);
  if (isStillBroken) return undefined;
  // What came since the last listing may be missing until the next one.
  if (state.last && !last) return undefined;
  const scan = await index.scan(signal);
  state.last = remembered(scan);
  const now = pickSkill(scan.skills, name)?.found;
  return now && isSummary(now) ? now : undefined;
}
