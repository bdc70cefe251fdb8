import { setImmediate } from "node:timers/promises";
import type { Breakages, IndexSubject } from "@skillwright/contracts";
import { type MetadataIndex, SkillError } from "@skillwright/core";
import type { IndexChange, IndexedSummaries } from "@skillwright/core/adapter";
import { closingOnce } from "./loading-breakages.js";

export const indexBreakages: Breakages<IndexSubject> = {
  "metadata-index/read/nothing": overriding((index) => ({
    read: async (options) =>
      (await index.read(options)) ?? { formatVersion: 1, revision: 0, skills: [], broken: [] },
  })),
  "metadata-index/write/first": reading((summaries) => ({
    ...summaries,
    skills: summaries.skills.map(({ version, ...skill }) => skill),
  })),
  "metadata-index/write/empty": overriding((index) => ({
    read: async () => {
      const summaries = await index.read();
      return summaries && summaries.skills.length > 0 ? summaries : undefined;
    },
  })),
  "metadata-index/write/revision": overriding((index) => ({
    write: async (change) =>
      change.from !== undefined && change.put.length === 0 ? change.from : await index.write(change),
  })),
  "metadata-index/write/replaced": overriding((index) => ({
    write: async (change) => {
      const before = new Map((await index.read())?.skills.map((skill) => [skill.path, skill]));
      const put = change.put.map((skill) => ({ ...before.get(skill.path), ...skill }));
      return await index.write({ ...change, put });
    },
  })),
  "metadata-index/write/broken": ({ index }) => {
    const seen = new Map<string, IndexedSummaries["broken"][number]>();
    const broken: MetadataIndex = {
      ...index,
      write: async (change) => {
        for (const one of change.putBroken ?? []) seen.set(one.path, one);
        return await index.write(change);
      },
      read: async () => {
        const summaries = await index.read();
        return summaries && { ...summaries, broken: [...seen.values()] };
      },
    };
    return { index: broken, other: broken };
  },
  "metadata-index/write/put-and-removed": writing((change) => ({
    ...change,
    put: change.put.filter(({ path }) => !change.remove.includes(path)),
  })),
  "metadata-index/write/removed": writing((change) => ({ ...change, remove: change.remove.slice(0, 1) })),
  "metadata-index/write/apart": overriding((index) => ({
    write: async (change) => {
      const byPath: Record<string, IndexChange["put"][number]> = {};
      for (const skill of change.put) byPath[skill.path] = skill;
      return await index.write({ ...change, put: Object.values(byPath) });
    },
  })),
  "metadata-index/write/many": writing((change) => ({ ...change, put: change.put.slice(0, 1000) })),
  "metadata-index/write/conflict": overriding((index) => ({
    write: async (change) => await index.write({ ...change, from: (await index.read())?.revision }),
  })),
  "metadata-index/write/at-once": overriding((index) => ({
    write: async (change) => {
      if ((await index.read())?.revision !== change.from)
        throw new SkillError("CONFLICT", "Changed meanwhile.");
      await setImmediate();
      return await index.write({ ...change, from: (await index.read())?.revision });
    },
  })),
  "metadata-index/write/own": overriding((index) => {
    let shared: IndexedSummaries | undefined;
    return {
      read: async () => {
        shared ??= await index.read();
        return shared;
      },
    };
  }),
  "metadata-index/read/aborted": overriding((index) => ({ read: () => index.read() })),
  "metadata-index/write/aborted": overriding((index) => ({ write: (change) => index.write(change) })),
  "metadata-index/close/twice": overriding(() => ({ close: closingOnce() })),

  "metadata-index/subscribe/told": ({ index, other }) => {
    let isTold = true;
    const subscribe: MetadataIndex["subscribe"] = (listener) =>
      index.subscribe((revision) => {
        if (isTold) listener(revision);
        isTold = false;
      });
    return { index: { ...index, subscribe }, other };
  },
  "metadata-index/subscribe/all": overriding((index) => {
    const listeners: ((revision: number) => void)[] = [];
    return {
      subscribe: async (listener) => {
        listeners.push(listener);
        if (listeners.length > 1) return { close: async () => {}, [Symbol.asyncDispose]: async () => {} };
        return await index.subscribe((revision) => {
          for (const tell of listeners) tell(revision);
        });
      },
    };
  }),
  "metadata-index/subscribe/refused-write": overriding((index) => {
    const listeners: ((revision: number) => void)[] = [];
    return {
      subscribe: async (listener) => {
        listeners.push(listener);
        return await index.subscribe(listener);
      },
      write: async (change) => {
        if (change.from !== undefined) for (const tell of listeners) tell(change.from + 1000);
        return await index.write(change);
      },
    };
  }),
  "metadata-index/subscribe/closed": overriding((index) => ({
    subscribe: async (listener) => {
      await index.subscribe(listener);
      return { close: async () => {}, [Symbol.asyncDispose]: async () => {} };
    },
  })),
};

/** The same broken index as both subjects. */
function overriding(
  changed: (index: MetadataIndex) => Partial<MetadataIndex>,
): (subject: IndexSubject) => IndexSubject {
  return ({ index }) => {
    const broken = { ...index, ...changed(index) };
    return { index: broken, other: broken };
  };
}

function reading(
  changed: (summaries: IndexedSummaries) => IndexedSummaries,
): (subject: IndexSubject) => IndexSubject {
  return overriding((index) => ({
    read: async () => {
      const summaries = await index.read();
      return summaries && changed(summaries);
    },
  }));
}

function writing(changed: (change: IndexChange) => IndexChange): (subject: IndexSubject) => IndexSubject {
  return overriding((index) => ({ write: (change, options) => index.write(changed(change), options) }));
}
