/** Serializes changes of this process to one record, since every change writes the whole record. */
export type RecordTurns = <T>(work: () => Promise<T>) => Promise<T>;

export function recordTurns(): RecordTurns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // Its failure is thrown to the caller.
    last = turn.catch(() => undefined);
    return turn;
  };
}
