import { callNow, mayCallNow, nextTurn } from "./at-once.js";

/**
 * Work on files, written once and run in two ways: synchronously where system calls are fast, which saves a promise per
 * call, and otherwise waiting for each call.
 */
export type Steps<T> = Generator<FileStep, T, unknown>;

/** A system call, or several short ones that are made together. */
export interface FileCall<Subject, Value> {
  /** Missing for calls that always take long. */
  readonly now?: ((subject: Subject) => Value) | undefined;
  readonly later: (subject: Subject) => Promise<Value>;
}

/** A yielded step; `yield` returns the result of its call. */
export interface FileStep {
  readonly call: FileCall<never, unknown>;
  readonly subject: unknown;
  /** Number of system calls. */
  readonly calls: number;
}

/** Runs the steps. The event loop gets a turn every few milliseconds, as with `atOnce`. */
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

/** Creates a step; yielding it returns the call's value. @param calls Number of system calls. */
export function fileStep<Subject, Value>(
  call: FileCall<Subject, Value>,
  subject: Subject,
  calls = 1,
): FileStep {
  return { call, subject, calls };
}

/** A step that is always asynchronous. */
export function* waitFor<T>(later: () => Promise<T>): Steps<T> {
  return (yield { call: { later }, subject: undefined, calls: 1 }) as T;
}

/** Runs all of them, concurrently where they have to wait. */
export function* eachOf<T>(all: readonly Steps<T>[]): Steps<readonly T[]> {
  const [only] = all;
  if (all.length < 2) return only ? [yield* only] : [];
  return yield* waitFor(() => Promise.all(all.map(runSteps)));
}
