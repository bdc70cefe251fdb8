import { callNow, mayCallNow, nextTurn } from "./at-once.js";

/**
 * Work on files that is written once and goes in two ways: without a pause where the calls of the system are quick, which
 * spares a promise for each of them, and otherwise waiting for each.
 */
export type Steps<T> = Generator<FileStep, T, unknown>;

/** A call of the system, or several short ones that are made together. */
export interface FileCall<Subject, Value> {
  /** Missing where it takes time by its nature. */
  readonly now?: ((subject: Subject) => Value) | undefined;
  readonly later: (subject: Subject) => Promise<Value>;
}

/** Is yielded, and gives what the call does. */
export interface FileStep {
  readonly call: FileCall<never, unknown>;
  readonly subject: unknown;
  /** How many calls it is. */
  readonly calls: number;
}

/** The event loop gets its turn after some milliseconds, as with `atOnce`. */
export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    const step = next.value;
    const start = performance.now();
    const pace = step.call.now ? mayCallNow(start) : "in-background";
    if (pace === "next-turn") await nextTurn();
    else next = pace === "now" ? nowStep(steps, step, start) : await laterStep(steps, step);
  }
  return next.value;
}

function nowStep<T>(
  steps: Steps<T>,
  { call, subject, calls }: FileStep,
  start: number,
): IteratorResult<FileStep, T> {
  let value: unknown;
  try {
    value = callNow(call.now as (subject: never) => unknown, subject as never, calls, start);
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}

async function laterStep<T>(steps: Steps<T>, step: FileStep): Promise<IteratorResult<FileStep, T>> {
  let value: unknown;
  try {
    value = await step.call.later(step.subject as never);
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}

/** To be yielded: gives the call's value. @param calls How many calls of the system it is. */
export function fileStep<Subject, Value>(
  call: FileCall<Subject, Value>,
  subject: Subject,
  calls = 1,
): FileStep {
  return { call, subject, calls };
}

/** What has no quick way. */
export function* waitFor<T>(later: () => Promise<T>): Steps<T> {
  return (yield { call: { later }, subject: undefined, calls: 1 }) as T;
}

/** Side by side where they have to wait. */
export function* eachOf<T>(all: readonly Steps<T>[]): Steps<readonly T[]> {
  const [only] = all;
  if (all.length < 2) return only ? [yield* only] : [];
  return yield* waitFor(() => Promise.all(all.map(runSteps)));
}
