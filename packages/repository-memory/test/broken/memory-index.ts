import { type BrokenSkill, type MetadataIndex, SkillError, type SkillSummary } from "@skillwright/core";
import { checkAborted, type IndexChange, type IndexedSummaries } from "@skillwright/core/adapter";

type Entry = { readonly skill: SkillSummary } | { readonly broken: BrokenSkill };

/** The reference implementation that the suite of `MetadataIndex` is tested with. */
export function memoryIndex(): MetadataIndex {
  let revision: number | undefined;
  const entries = new Map<string, Entry>();
  const listeners = new Set<{ readonly tell: (revision: number) => void }>();

  const read: MetadataIndex["read"] = async ({ signal } = {}) => {
    checkAborted(signal);
    if (revision === undefined) return undefined;
    const all = [...entries.values()];
    const summaries: IndexedSummaries = {
      formatVersion: 1,
      revision,
      skills: all.flatMap((entry) => ("skill" in entry ? [entry.skill] : [])),
      broken: all.flatMap((entry) => ("broken" in entry ? [entry.broken] : [])),
    };
    return structuredClone(summaries);
  };

  const write: MetadataIndex["write"] = async (change, { signal } = {}) => {
    checkAborted(signal);
    if (change.from !== revision)
      throw new SkillError("CONFLICT", `The index is at ${revision}. Read it again.`);
    apply(structuredClone(change));
    revision = (revision ?? 0) + 1;
    for (const { tell } of [...listeners])
      try {
        tell(revision);
      } catch {}
    return revision;
  };

  function apply({ put, putBroken = [], remove }: IndexChange): void {
    for (const path of remove) entries.delete(path);
    for (const skill of put) entries.set(skill.path, { skill });
    for (const broken of putBroken) entries.set(broken.path, { broken });
  }

  const subscribe: MetadataIndex["subscribe"] = async (tell) => {
    const own = { tell };
    listeners.add(own);
    const close = async (): Promise<void> => void listeners.delete(own);
    return { close, [Symbol.asyncDispose]: close };
  };

  async function close(): Promise<void> {}

  return { read, write, subscribe, close, [Symbol.asyncDispose]: close };
}
