import { inspect } from "node:util";

/** What stands in the place of a secret wherever one would be printed. */
export const MASK = "***";

/**
 * A value that refuses to be printed: text, JSON and `console.log` all show `***`. Only `reveal()` gives it away, and
 * only a runtime calls that, when it builds the environment of one process and to mask the value in what that prints.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
