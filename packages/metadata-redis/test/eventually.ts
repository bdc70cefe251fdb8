import { expect } from "vitest";

/** Expects of a value what it becomes after a while, on a busy machine too. */
export function eventually<T>(value: () => T) {
  return expect.poll(value);
}
