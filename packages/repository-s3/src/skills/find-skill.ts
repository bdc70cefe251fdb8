import { isContainedPath, type SkillSummary } from "@skillwright/core";
import type { RepositoryState } from "../repository-state.js";
import { publishedSummary } from "./load-published.js";
import { isSummary } from "./read-summaries.js";
import { type PlainPlace, pick, remembered } from "./skill-index.js";

/**
 * The summary of the skill of this name, otherwise at this path, as a load would give it; `undefined` where there is none, and for a
 * broken one. Costs a listing of one key for what was published under the name, and a listing of the skill's own folder: where it was
 * seen last, or, where nothing was listed, the folder of its name. The bucket is listed only where the skill is not there.
 */
export async function findSkill(
  state: RepositoryState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<SkillSummary | undefined> {
  const { index, records } = state;
  if (name === "") return undefined;
  const last = state.last && pick(state.last.skills, name);
  const place = state.last ? last?.folder : folderNamed(name);
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
  if (!isDeleted && found && isSummary(found) && isIt(found)) return found;
  const isStillBroken = last && !isSummary(last.found) && found && !isSummary(found);
  if (isStillBroken) return undefined;
  // What came since the last listing may be missing until the next one.
  if (state.last && !last) return undefined;
  const scan = await index.scan(signal);
  state.last = remembered(scan);
  const now = pick(scan.skills, name)?.found;
  return now && isSummary(now) ? now : undefined;

  /** Where nothing was listed, another skill may have the path as its name. */
  function isIt(summary: SkillSummary): boolean {
    return summary.name === name || (state.last !== undefined && summary.path === name);
  }
}

function folderNamed(name: string): PlainPlace | undefined {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? { path: name, name } : undefined;
}
