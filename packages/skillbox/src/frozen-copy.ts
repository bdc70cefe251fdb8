import { deepFreeze } from "@skillwright/core/adapter";

/** Returns a frozen value itself, otherwise a frozen copy, so that the original can still be changed by its owner. */
export function frozenCopy<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(structuredClone(value));
}
