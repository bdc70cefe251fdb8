import {
  type CallOptions,
  type Diagnostic,
  type MetadataIndex,
  SkillError,
  type SkillListing,
  type SkillRepository,
} from "@skillwright/core";
import { checkAborted, type IndexChange, type IndexedSummaries } from "@skillwright/core/adapter";
import { changeAround } from "./change-around.js";
import { indexDifference } from "./index-difference.js";
import { indexOutage } from "./index-outage.js";

/** The repository's own listing; `failure` where the index could not be updated to match. */
interface Looked {
  readonly summaries?: undefined;
  readonly listing: SkillListing;
  readonly failure?: SkillError | undefined;
}

/** The content of the index. */
interface Found {
  readonly summaries: IndexedSummaries;
  readonly listing?: undefined;
  readonly failure?: undefined;
}

/**
 * Keeps an index up to date with its repository. Failures of the index are reported; failures of the repository are
 * thrown.
 */
export interface IndexUpkeep {
  /**
   * Reads the index, which is built where there is none; reads the repository where the index fails or may be
   * incomplete.
   */
  read(options: CallOptions): Promise<Found | Looked>;
  /** Lists the repository and writes the differences. */
  compare(options: CallOptions): Promise<Looked>;
  /** Runs work that changes the repository. If its outcome is unknown, the index counts as possibly incomplete. */
  changing<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Writes the repository's current content at the paths of a change that was just made. @throws SkillError `ABORTED`.
   */
  follow(
    paths: (summaries: IndexedSummaries) => readonly string[],
    options: CallOptions,
  ): Promise<SkillError | undefined>;
  /** Call it for each notice of the index. If the index counted as unavailable, the next `read` asks it again. */
  noticed(): void;
  /** Marks the index as possibly incomplete: the next `read` compares. */
  doubt(): void;
  /** Diagnostics of the repository as a whole, from the last listing here. The copy belongs to the caller. */
  remembered(): readonly Diagnostic[];
  /** Stops background work. */
  close(): Promise<void>;
}

export interface IndexUpkeepOptions {
  readonly attempts: number;
  readonly retryEveryMs: number;
  /** Called after each listing of the repository. */
  readonly onLook: () => void;
}

export function indexUpkeep(
  repository: SkillRepository,
  index: MetadataIndex,
  { attempts, retryEveryMs, onLook }: IndexUpkeepOptions,
): IndexUpkeep {
  let diagnostics: readonly Diagnostic[] = [];
  /** A counter, so that a doubt raised during a comparison outlives it. */
  let doubts = 0;
  let settled = 0;

  const outage = indexOutage({
    retryEveryMs,
    look,
    ask: async (options) => (await answer(() => index.read(options), options)).failure,
    onEnd: doubt,
  });

  const read: IndexUpkeep["read"] = async (options) => {
    const meanwhile = outage.listing(options);
    if (meanwhile) return await meanwhile;
    for (let attempt = 1; doubts === settled; attempt++) {
      const found = await answer(() => index.read(options), options);
      if (found.failure) {
        const listing = await look(options);
        outage.began(found.failure, listing);
        return { listing, failure: found.failure };
      }
      if (found.value) return { summaries: found.value };
      const listing = await look(options);
      const { failure } = await write(undefined, listing, options);
      // After a conflict, another process has built it: read that.
      if (failure?.code !== "CONFLICT" || attempt >= attempts) return { listing, failure };
    }
    return await compare(options);
  };

  async function compare(options: CallOptions): Promise<Looked> {
    for (let attempt = 1; ; attempt++) {
      const answered = doubts;
      const before = await answer(() => index.read(options), options);
      // Listed after the read: anything written meanwhile is a conflict, and nothing older than the index is written to
      // it.
      const listing = await look(options);
      const { failure } = before.failure ? before : await write(before.value, listing, options);
      if (!failure) settled = Math.max(settled, answered);
      if (failure?.code !== "CONFLICT" || attempt >= attempts) return { listing, failure };
    }
  }

  async function write(
    before: IndexedSummaries | undefined,
    listing: SkillListing,
    options: CallOptions,
  ): Promise<Answer<number | undefined>> {
    const change = indexDifference(before, listing);
    if (!change) return { value: before?.revision };
    return await answer(() => index.write(change, options), options);
  }

  async function look(options: CallOptions): Promise<SkillListing> {
    const listing = await repository.list(options);
    diagnostics = structuredClone(listing.diagnostics);
    onLook();
    return listing;
  }

  const changing: IndexUpkeep["changing"] = async (work) => {
    outage.forgetListing();
    try {
      return await work();
    } catch (error) {
      if (!isRefusal(error)) doubt();
      throw error;
    } finally {
      // A listing made while the change was in progress may lack it.
      outage.forgetListing();
    }
  };

  const follow: IndexUpkeep["follow"] = async (paths, options) => {
    try {
      await writeAround(paths, options);
      return undefined;
    } catch (error) {
      doubt();
      checkAborted(options.signal);
      return SkillError.from(error, "Bringing the index up to date");
    }
  };

  async function writeAround(
    paths: (summaries: IndexedSummaries) => readonly string[],
    options: CallOptions,
  ): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const before = await index.read(options);
      const change = before && (await changeAround(repository, before, paths(before), options));
      if (!change) return await compareOrThrow(options);
      if (await isWritten(change, options)) return;
    }
    throw new SkillError(
      "CONFLICT",
      "The index was not updated, because other processes kept changing it. Refresh the repository later.",
    );
  }

  async function compareOrThrow(options: CallOptions): Promise<void> {
    const { failure } = await compare(options);
    if (failure) throw failure;
  }

  async function isWritten(change: IndexChange, options: CallOptions): Promise<boolean> {
    const { failure } = await answer(() => index.write(change, options), options);
    if (failure && failure.code !== "CONFLICT") throw failure;
    return failure === undefined;
  }

  function doubt(): void {
    doubts++;
  }

  return {
    read,
    compare,
    changing,
    follow,
    noticed: outage.ended,
    doubt,
    remembered: () => structuredClone(diagnostics),
    close: outage.close,
  };
}

type Answer<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: never; readonly failure: SkillError };

/** Returns the index's answer or its failure. @throws SkillError `ABORTED`. */
async function answer<T>(ask: () => Promise<T>, { signal }: CallOptions): Promise<Answer<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    checkAborted(signal);
    return { failure: SkillError.from(error, "Using the index") };
  }
}

/** True for an error that means that nothing was changed. */
function isRefusal(error: unknown): boolean {
  return SkillError.is(error) && error.code !== "ABORTED" && error.code !== "BACKEND_FAILED";
}
