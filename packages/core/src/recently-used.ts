/** A cache that drops the least recently used values when it exceeds its limits. */
export interface RecentlyUsed<Value> {
  /** Returns the value and marks it as used. */
  get(key: string): Value | undefined;
  /** @param weight Its share of the weight limit. Defaults to 0. */
  put(key: string, value: Value, weight?: number): void;
  /** Removes the value, without calling `onDropped`. */
  delete(key: string): void;
  /** Removes and returns all values, without calling `onDropped`. */
  clear(): readonly Value[];
}

export interface RecentlyUsedLimits<Value> {
  readonly entries: number;
  /** Limit of the total weight. The most recently used value stays, whatever its weight. */
  readonly weight?: number | undefined;
  readonly onDropped?: (value: Value) => void;
}

export function recentlyUsed<Value>({
  entries,
  weight: limit = Number.POSITIVE_INFINITY,
  onDropped,
}: RecentlyUsedLimits<Value>): RecentlyUsed<Value> {
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>();
  let total = 0;

  function get(key: string): Value | undefined {
    const entry = kept.get(key);
    if (entry) {
      kept.delete(key);
      kept.set(key, entry);
    }
    return entry?.value;
  }

  function put(key: string, value: Value, weight = 0): void {
    remove(key);
    total += weight;
    kept.set(key, { value, weight });
    for (const [oldest, entry] of kept) {
      if (kept.size <= entries && (total <= limit || kept.size === 1)) break;
      kept.delete(oldest);
      total -= entry.weight;
      onDropped?.(entry.value);
    }
  }

  function remove(key: string): void {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  function clear(): readonly Value[] {
    const all = [...kept.values()].map(({ value }) => value);
    kept.clear();
    total = 0;
    return all;
  }

  return { get, put, delete: remove, clear };
}
