import type { RecordStore } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { expect, onTestFinished } from "vitest";

/**
 * A store that does something else before or after a write, as another process does. Each `when` is done once: at the write with that
 * number among those of that kind that come after the call.
 */
export function betweenCalls(store: RecordStore) {
  interface Planned {
    readonly kind: string;
    readonly when: "before" | "after";
    readonly work: () => Promise<unknown>;
    left: number;
    isDone: boolean;
  }
  const planned: Planned[] = [];
  onTestFinished(() => expect(planned.filter(({ isDone }) => !isDone)).toEqual([]));

  async function doPlanned(now: readonly Planned[], when: Planned["when"]): Promise<void> {
    for (const one of now.filter((each) => each.when === when)) {
      one.isDone = true;
      await one.work();
    }
  }

  const records = delegate(store, {
    write: async (key, ...given) => {
      const now = planned
        .filter(({ kind, isDone }) => !isDone && kind === key[0])
        .filter((one) => --one.left === 0);
      await doPlanned(now, "before");
      const made = await store.write(key, ...given);
      await doPlanned(now, "after");
      return made;
    },
  });
  return {
    records,
    at: (when: Planned["when"], kind: string, number: number, work: Planned["work"]) =>
      void planned.push({ when, kind, work, left: number, isDone: false }),
  };
}

/** A store that a process leaves behind when it is killed before or after its write with that number, of whatever kind. */
export function dyingAt(store: RecordStore, number: number, when: "before" | "after"): RecordStore {
  let writes = 0;
  let isDead = false;
  const alive =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (isDead) throw new Error("killed");
      return await call(...given);
    };
  return delegate(store, {
    get: alive(store.get),
    read: alive(store.read),
    list: alive(store.list),
    append: alive(store.append),
    delete: alive(store.delete),
    write: alive(async (...given) => {
      isDead = ++writes === number;
      if (isDead && when === "before") throw new Error("killed");
      const made = await store.write(...given);
      if (isDead) throw new Error("killed");
      return made;
    }),
  });
}
