import {
  type CallOptions,
  type Skill,
  SkillError,
  type SkillRepository,
  type SkillSummary,
} from "@skillwright/core";
import type { IndexChange, IndexedSummaries } from "@skillwright/core/adapter";

/** From this number on, one listing is cheaper than loading each skill. */
const MANY = 8;

/**
 * The repository's current content at these paths, above and below them, as a change of the index: files of a nested
 * skill belong to both skills. The change is based on the revision that was read, even where nothing differs, so that a
 * comparison running elsewhere starts again. `undefined` where only a listing can tell.
 */
export async function changeAround(
  repository: SkillRepository,
  before: IndexedSummaries,
  touched: readonly string[],
  options: CallOptions,
): Promise<IndexChange | undefined> {
  const known = [...before.skills, ...before.broken].map(({ path }) => path);
  const near = known.filter((path) => touched.some((one) => isWithin(path, one) || isWithin(one, path)));
  const paths = new Set([...touched, ...near]);
  if (paths.size > MANY) return undefined;
  const put: SkillSummary[] = [];
  const remove: string[] = [];
  for (const path of paths) {
    const found = await lookAt(repository, path, options);
    if (found === "unclear") return undefined;
    if (found === "gone") remove.push(path);
    else put.push(summaryOf(found));
  }
  return { from: before.revision, put, remove };
}

function isWithin(path: string, folder: string): boolean {
  return folder === "" || folder === "." || path.startsWith(`${folder}/`);
}

/** A skill elsewhere whose name equals this path takes precedence over the one at the path. */
async function lookAt(
  repository: SkillRepository,
  path: string,
  options: CallOptions,
): Promise<Skill | "gone" | "unclear"> {
  try {
    const skill = await repository.load(path, { signal: options.signal });
    return skill.path === path ? skill : "unclear";
  } catch (error) {
    if (SkillError.is(error, "SKILL_NOT_FOUND")) return "gone";
    if (SkillError.is(error, "SKILL_INVALID")) return "unclear";
    throw error;
  }
}

function summaryOf({ body, manifest, ...summary }: Skill): SkillSummary {
  return summary;
}
