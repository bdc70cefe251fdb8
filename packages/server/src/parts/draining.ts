/** The end of a server's life, in which it takes no new turns. */
export interface Draining {
  isDraining(): boolean;
  /** A turn of this process runs until the promise settles. */
  running(turn: Promise<unknown>): void;
  /** From now on no turn starts. Resolves when none runs any more, or after that time. */
  drain(forMs: number): Promise<void>;
}

export function draining(): Draining {
  const turns = new Set<Promise<unknown>>();
  let hasBegun = false;
  return {
    isDraining: () => hasBegun,
    running: (turn) => {
      // Its failure is thrown to whoever runs the turn.
      const settled: Promise<unknown> = turn.catch(() => undefined).finally(() => turns.delete(settled));
      turns.add(settled);
    },
    drain: async (forMs) => {
      hasBegun = true;
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, forMs);
      });
      await Promise.race([Promise.all(turns), over]);
      clearTimeout(timer);
    },
  };
}
