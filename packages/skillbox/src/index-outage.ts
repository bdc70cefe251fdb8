import type { CallOptions, SkillError, SkillListing } from "@skillwright/core";

/** Remembers that an index failed, so that not every listing waits for it. */
export interface IndexOutage {
  /** The listing to return while the index counts as unavailable; `undefined` when the index should be asked. */
  listing(options: CallOptions): Promise<{ listing: SkillListing; failure: SkillError }> | undefined;
  /** Records that the index just failed, with the listing of the repository itself. */
  began(failure: SkillError, listing: SkillListing): void;
  /** Records that the index gave a sign of life: it is asked by the next listing. */
  ended(): void;
  /** Drops the remembered listing after the repository changed. */
  forgetListing(): void;
  /** Stops asking in the background. */
  close(): Promise<void>;
}

interface IndexOutageParts {
  readonly retryEveryMs: number;
  /** Lists the repository itself. */
  readonly look: (options: CallOptions) => Promise<SkillListing>;
  /** Asks the index; resolves to its failure, if any. */
  readonly ask: (options: CallOptions) => Promise<SkillError | undefined>;
  /** Called when the index answers again; it may lack changes made meanwhile. */
  readonly onEnd: () => void;
}

interface Away {
  readonly failure: SkillError;
  listing: SkillListing | undefined;
  /** Time of the latest failure of the index. */
  readonly since: number;
}

/**
 * Remembers a failed read of an index. For `retryEveryMs` the same listing is returned again. After that it is still
 * returned while the index is asked in the background, and refreshed when the index failed again.
 */
export function indexOutage({ retryEveryMs, look, ask, onEnd }: IndexOutageParts): IndexOutage {
  let away: Away | undefined;
  let retry: Promise<void> | undefined;
  const closing = new AbortController();

  function listing(options: CallOptions) {
    if (!away) return undefined;
    if (performance.now() - away.since >= retryEveryMs)
      retry ??= tryAgain().finally(() => {
        retry = undefined;
      });
    return remembered(away, options);
  }

  async function remembered(known: Away, options: CallOptions) {
    known.listing ??= await look(options);
    return { listing: known.listing, failure: known.failure };
  }

  async function tryAgain(): Promise<void> {
    const { signal } = closing;
    try {
      const failure = await ask({ signal });
      if (failure) began(failure, await look({ signal }));
      else ended();
    } catch {
      // The repository failed or the index was closed; the next listing determines which.
      away = undefined;
    }
  }

  function ended(): void {
    if (away) onEnd();
    away = undefined;
  }

  function began(failure: SkillError, listing: SkillListing): void {
    away = { failure, listing, since: performance.now() };
  }

  return {
    listing,
    began,
    ended,
    forgetListing: () => {
      if (away) away.listing = undefined;
    },
    close: async () => {
      closing.abort();
      await retry;
    },
  };
}
