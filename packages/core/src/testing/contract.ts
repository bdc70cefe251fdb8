import type { TestFunction } from "./test-function.js";

/** One promise of a port: an id that never changes, the sentence, and how to find out whether it is kept. */
export interface ContractPromise<Subject, Seed = undefined> {
  /** Such as `skill-repository/load/missing`. */
  readonly id: string;
  readonly promise: string;
  /** What the subject holds when the promise is put to it. */
  readonly seed: Seed;
  /** Rejects, with an `AssertionError` where it can be said what is wrong, when the promise is broken. */
  run(subject: Subject): Promise<void>;
}

/** Takes down what was set up for one promise. */
export interface Disposing {
  dispose?(): Promise<void>;
}

/** Sets up a fresh subject that holds the seed and nothing else; called once for every promise. */
export type CreateSubject<Subject, Seed = undefined> = (seed: Seed) => Promise<Subject & Disposing>;

export interface ContractOptions {
  /** Promises this adapter cannot be asked for, by id, with the reason. An unknown id is an error. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** Registers one test a promise, named by id and sentence. */
export function testContract<Subject, Seed>(
  test: TestFunction,
  promises: readonly ContractPromise<Subject, Seed>[],
  create: CreateSubject<Subject, Seed>,
  { skip = {} }: ContractOptions = {},
): void {
  const ids = new Set(promises.map(({ id }) => id));
  const unknown = Object.keys(skip).filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`No such promises to skip: ${unknown.join(", ")}.`);
  for (const promise of promises)
    if (!(promise.id in skip)) test(`${promise.id}: ${promise.promise}`, () => checkPromise(promise, create));
}

/** Puts one promise to a fresh subject. */
export async function checkPromise<Subject, Seed>(
  promise: ContractPromise<Subject, Seed>,
  create: CreateSubject<Subject, Seed>,
): Promise<void> {
  const subject = await create(promise.seed);
  try {
    await promise.run(subject);
  } finally {
    await subject.dispose?.();
  }
}
