import { recentlyUsed } from "@skillwright/core/adapter";

/** Values by keys of several parts, of which those that were used last are kept. */
export function recentValues<Value>(most = 1000) {
  const values = recentlyUsed<Value>({ entries: most });
  return {
    get: (key: readonly string[]): Value | undefined => values.get(JSON.stringify(key)),
    set: (key: readonly string[], value: Value): void => values.put(JSON.stringify(key), value),
    delete: (key: readonly string[]): void => values.delete(JSON.stringify(key)),
  };
}
