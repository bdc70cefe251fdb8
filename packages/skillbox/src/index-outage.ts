import type { CallOptions, SkillError, SkillListing } from "@skillwright/core";

/** What is remembered of an index that failed, so that not every listing waits for it. */
export interface IndexOutage {
  /** The listing to give while the index counts as away; `undefined` when the index is to be asked. */
  listing(options: CallOptions): Promise<{ listing: SkillListing; failure: SkillError }> | undefined;
  /** The index failed just now, and this is what the repository lists. */
  began(failure: SkillError, listing: SkillListing): void;
  /** The repository changed: the remembered listing is out of date. */
  forgetListing(): void;
  /** Stops asking in the background. */
  close(): Promise<void>;
}

interface IndexOutageParts {
  readonly retryEveryMs: number;
  /** Lists the repository itself. */
  readonly look: (options: CallOptions) => Promise<SkillListing>;
  /** Asks the index; resolves to its failure. */
  readonly ask: (options: CallOptions) => Promise<SkillError | undefined>;
  /** The index answers again, and may lack what changed meanwhile. */
  readonly onEnd: () => void;
}

interface Away {
  readonly failure: SkillError;
  listing: SkillListing | undefined;
  /** When the index failed last. */
  readonly since: number;
}

/**
 * Remembers a failed read of an index. For `retryEveryMs` the listing that was given then is given again; after that it is
 * still given while the index is asked in the background, and made anew when the index failed again.
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
      else {
        away = undefined;
        onEnd();
      }
    } catch {
      // The repository failed or the index was closed; the next listing finds out which.
      away = undefined;
    }
  }

  function began(failure: SkillError, listing: SkillListing): void {
    away = { failure, listing, since: performance.now() };
  }

  return {
    listing,
    began,
    forgetListing: () => {
      if (away) away.listing = undefined;
    },
    close: async () => {
      closing.abort();
      await retry;
    },
  };
}
