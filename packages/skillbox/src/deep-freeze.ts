/** Itself where it is frozen, else a frozen copy, so that whoever made it may still change it. */
export function frozenCopy<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(structuredClone(value));
}

/** Plain data through and through; what is frozen already is taken to be so all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
}
