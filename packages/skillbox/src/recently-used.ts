/** Values by key, of which those that were used longest ago are dropped when there is too much. */
export interface RecentlyUsed<Value> {
  /** The value, which counts as used by that. */
  get(key: string): Value | undefined;
  /** @param weight What it counts against the limit of the weight; nothing by default. */
  put(key: string, value: Value, weight?: number): void;
  /** Forgets all and gives them, without calling `onDropped`. */
  clear(): readonly Value[];
}

export interface RecentlyUsedLimits<Value> {
  readonly entries: number;
  /** Of all together; the one used last stays, whatever it weighs. */
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
    total += weight - (kept.get(key)?.weight ?? 0);
    kept.delete(key);
    kept.set(key, { value, weight });
    for (const [oldest, entry] of kept) {
      if (kept.size <= entries && (total <= limit || kept.size === 1)) break;
      kept.delete(oldest);
      total -= entry.weight;
      onDropped?.(entry.value);
    }
  }

  function clear(): readonly Value[] {
    const all = [...kept.values()].map(({ value }) => value);
    kept.clear();
    total = 0;
    return all;
  }

  return { get, put, clear };
}
