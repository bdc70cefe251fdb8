import type { SchemaIssue } from "./schema-issue.js";

/** Removes the fields of the issue from the value in place; a list is removed as a whole. */
export function withoutWrong(whole: unknown, { code, path, keys = [] }: SchemaIssue): unknown {
  const wrong = code === "unrecognized_keys" ? keys.map((key) => [...path, key]) : [path];
  for (const one of wrong) {
    if (one.length === 0) return {};
    remove(whole, one);
  }
  return whole;
}

function remove(whole: unknown, path: readonly PropertyKey[]): void {
  let value = whole;
  for (const [index, key] of path.entries()) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return;
    const next: unknown = Reflect.get(value, key);
    if (index === path.length - 1 || Array.isArray(next)) {
      Reflect.deleteProperty(value, key);
      return;
    }
    value = next;
  }
}
