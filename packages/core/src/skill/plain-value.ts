import type { JsonValue } from "../json-value.js";

/** Counted after aliases are expanded. The largest real header has a few hundred. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 150;

/**
 * Returns a JSON copy that shares nothing, with aliases expanded. Keys such as `__proto__` become ordinary own
 * properties. `undefined` for more than 20,000 values or 150 levels, which an alias bomb produces.
 */
export function plainValue(value: unknown): JsonValue | undefined {
  let nodes = 0;
  try {
    return copy(value, 0);
  } catch (error) {
    if (error === TOO_LARGE) return undefined;
    throw error;
  }

  function copy(from: unknown, depth: number): JsonValue {
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) throw TOO_LARGE;
    if (typeof from !== "object" || from === null)
      return typeof from === "number" && !Number.isFinite(from) ? String(from) : (from as JsonValue);
    if (Array.isArray(from)) return from.map((item) => copy(item, depth + 1));
    return Object.fromEntries(Object.entries(from).map(([key, item]) => [key, copy(item, depth + 1)]));
  }
}

const TOO_LARGE = new Error("The value is larger than a header may be.");
