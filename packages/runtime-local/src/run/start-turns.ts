/**
 * Settles in a separate turn of the event loop for each caller; at once where there was no other caller in this turn,
 * so that a single call costs nothing.
 */
export type StartTurns = () => Promise<void>;

/**
 * Starting a process blocks the event loop for about 40 ms per GiB of memory that this process holds. Many starts at
 * once would block it for the sum; one start per turn lets other work run in between.
 */
export function startTurns(): StartTurns {
  const waiting: (() => void)[] = [];
  let taken = false;

  function nextTurn(): void {
    const next = waiting.shift();
    taken = next !== undefined;
    if (!next) return;
    setImmediate(nextTurn);
    next();
  }

  return async () => {
    if (taken) return await new Promise<void>((resolve) => waiting.push(resolve));
    taken = true;
    setImmediate(nextTurn);
  };
}
