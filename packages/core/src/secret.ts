/** Printed in place of a secret. */
export const MASK = "***";

/** What Node calls to show a value. By its name, so that the types of this package need none of Node's. */
const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/**
 * A value that does not print itself: text, JSON and `console.log` all show `***`. Only `reveal()` returns it. Only a
 * runtime calls that: to build the environment of one process, and to mask the value in its output.
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

  [INSPECT](): string {
    return MASK;
  }
}
