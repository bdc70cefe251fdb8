/** Values by keys of several parts, of which those that were set last are kept. */
export function recentValues<Value>(most = 1000) {
  /** Ordered by the time of setting; the most recent one is last. */
  const values = new Map<string, Value>();
  return {
    get: (key: readonly string[]): Value | undefined => values.get(JSON.stringify(key)),
    set: (key: readonly string[], value: Value): void => {
      const id = JSON.stringify(key);
      values.delete(id);
      values.set(id, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
    delete: (key: readonly string[]): void => void values.delete(JSON.stringify(key)),
  };
}
