import type { BrokenSkill, SkillSummary } from "@skillwright/core";
import { deepFreeze, type IndexedSummaries } from "@skillwright/core/adapter";
import { BROKEN, brokenOf, byPath, bySkill, SKILL, summariesAt, summaryOf } from "./index-entries.js";

/**
 * Applies changed fields to the summaries.
 * @param changed Fields and values in turn; "" for a removed field.
 * @returns Frozen summaries; `undefined` where any part is damaged.
 */
export function changedSummaries(
  before: IndexedSummaries,
  revision: string,
  changed: readonly string[],
): IndexedSummaries | undefined {
  const skills = new Map<string, SkillSummary | undefined>();
  const broken = new Map<string, BrokenSkill | undefined>();
  try {
    for (let at = 0; at < changed.length; at += 2) {
      const [field = "", text = ""] = changed.slice(at, at + 2);
      if (field.startsWith(SKILL)) take(skills, field.slice(SKILL.length), text, summaryOf);
      else if (field.startsWith(BROKEN)) take(broken, field.slice(BROKEN.length), text, brokenOf);
    }
  } catch {
    return undefined;
  }
  return summariesAt(
    revision,
    replaced(before.skills, skills, bySkill),
    replaced(before.broken, broken, byPath),
  );
}

function take<Entry>(
  entries: Map<string, Entry | undefined>,
  path: string,
  text: string,
  entryOf: (path: string, text: string) => Entry,
): void {
  entries.set(JSON.parse(path), text === "" ? undefined : deepFreeze(entryOf(path, text)));
}

/** One pass: sorting and freezing thousands of entries anew for one that changed would take most of the time of a read. */
function replaced<Entry extends { readonly path: string }>(
  before: readonly Entry[],
  entries: ReadonlyMap<string, Entry | undefined>,
  order: (a: Entry, b: Entry) => number,
): readonly Entry[] {
  const added = [...entries.values()].filter((entry): entry is Entry => entry !== undefined).sort(order);
  const after: Entry[] = [];
  let next = 0;
  for (const entry of before) {
    if (entries.has(entry.path)) continue;
    for (let first = added[next]; first && order(first, entry) < 0; first = added[next]) {
      after.push(first);
      next++;
    }
    after.push(entry);
  }
  return [...after, ...added.slice(next)];
}
