import { deepFreeze } from "@skillwright/core";

/** Itself where it is frozen, else a frozen copy, so that whoever made it may still change it. */
export function frozenCopy<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(structuredClone(value));
}
