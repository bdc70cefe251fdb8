import { inspect } from "node:util";

/**
 * Makes the object print as its name only. The engine's client formats all options of each call for a debug log, even
 * when the log is off: with an agent and its sockets among the options, that blocks the event loop for milliseconds per
 * call.
 */
export function brieflyInspected<T extends object>(object: T, name: string): T {
  return Object.defineProperty(object, inspect.custom, { value: () => name });
}
