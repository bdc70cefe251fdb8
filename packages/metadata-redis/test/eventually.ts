import { expect } from "vitest";

/** Waits until a value meets an expectation, however busy the machine is. */
export function eventually<T>(value: () => T) {
  return expect.poll(value);
}
