/**
 * Changes everything in a result that can be changed, to check that results belong to the caller. Frozen parts reject
 * the change, which also keeps the promise.
 */
export function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) scribble(inner);
  try {
    if (value instanceof Uint8Array) value.fill(0);
    else if (Array.isArray(value)) value.splice(0, value.length, "scribbled");
    else for (const key of Object.keys(value)) Reflect.set(value, key, "scribbled");
  } catch {
    // A frozen object refuses the change, as it should.
  }
}
