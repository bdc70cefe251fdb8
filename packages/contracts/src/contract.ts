import type { TestFunction } from "./test-function.js";

/** One promise of a port: a stable id, a sentence, and a check. */
export interface ContractPromise<Subject, Seed = undefined> {
  /** Such as `skill-repository/load/missing`. */
  readonly id: string;
  readonly promise: string;
  /** What the subject contains before the check. */
  readonly seed: Seed;
  /** Rejects when the promise is broken, with an `AssertionError` where it can describe the failure. */
  run(subject: Subject): Promise<void>;
}

/** Releases what was set up for one promise. */
export interface Disposing {
  dispose?(): Promise<void>;
}

/** Sets up a fresh subject that contains the seed and nothing else. Called once for every promise. */
export type CreateSubject<Subject, Seed = undefined> = (seed: Seed) => Promise<Subject & Disposing>;

export interface ContractOptions {
  /** Promises that do not apply to this adapter, by id, with the reason. An unknown id is an error. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** Registers one test per promise, named by id and sentence. */
export function testContract<Subject, Seed>(
  test: TestFunction,
  promises: readonly ContractPromise<Subject, Seed>[],
  create: CreateSubject<Subject, Seed>,
  { skip = {} }: ContractOptions = {},
): void {
  const ids = new Set(promises.map(({ id }) => id));
  const unknown = Object.keys(skip).filter((id) => !ids.has(id));
  if (unknown.length > 0)
    throw new Error(
      `\`skip\` names promises that the suite does not have: ${unknown.join(", ")}. Remove them, or correct the ids.`,
    );
  for (const promise of promises)
    if (!(promise.id in skip)) test(`${promise.id}: ${promise.promise}`, () => checkPromise(promise, create));
}

/** Checks one promise on a fresh subject. */
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
