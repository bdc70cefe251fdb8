/** Printed in place of a secret. */
export const MASK = "***";

/** The method that Node calls to print a value. The symbol is looked up by its name, so that this package needs no types of Node. */
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
