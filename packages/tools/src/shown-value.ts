import { shownText } from "@skillwright/core/adapter";

/** Returns plain data with all its strings, including property names, as `shownText` gives them. */
export function shownValue<Value>(value: Value): Value {
  return shown(value) as Value;
}

function shown(value: unknown): unknown {
  if (typeof value === "string") return shownText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shown);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [shownText(name), shown(inner)]));
}
