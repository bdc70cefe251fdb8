/**
 * Changes everything in a result that can be changed: what was handed out must be the caller's own. Frozen parts refuse,
 * which keeps the promise too.
 */
export function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) scribble(inner);
  try {
    if (value instanceof Uint8Array) value.fill(0);
    else if (Array.isArray(value)) value.splice(0, value.length, "scribbled");
    else for (const key of Object.keys(value)) Reflect.set(value, key, "scribbled");
  } catch {}
}
