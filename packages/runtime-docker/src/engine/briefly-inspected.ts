import { inspect } from "node:util";

/**
 * Has the object printed as its name alone. The engine's client writes out all options of each call in full for a debug log,
 * also where nobody reads it: with an agent and its sockets in them that takes milliseconds a call, while nothing else moves.
 */
export function brieflyInspected<T extends object>(object: T, name: string): T {
  return Object.defineProperty(object, inspect.custom, { value: () => name });
}
