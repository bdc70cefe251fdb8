/** Settles in a turn of the event loop of its own: at once where none has come in this one, so that a single call costs nothing. */
export type StartTurns = () => Promise<void>;

/**
 * Starting a process stops the event loop, for some 40 ms for each GiB that this process holds. Many starts at once would
 * stop it for all of them together; one a turn lets other work in between.
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
