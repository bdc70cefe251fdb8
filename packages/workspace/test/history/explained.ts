/** One call, as its caller saw it. */
export interface Operation {
  readonly kind: string;
  readonly name: string;
  /** Missing where the caller was killed before it got the result; the call may then have had its effect or not. */
  readonly result: string | undefined;
  /** Times by one clock for all callers. */
  readonly begin: number;
  readonly end: number;
}

/**
 * The possible next states if the call was made alone in that state with that result; none where that is impossible.
 */
export type Model<State> = (state: State, operation: Operation) => readonly State[];

/**
 * Searches for an order of the calls that explains all results: each takes effect at one moment between its start and
 * its end, and starts from the state that the previous one left. Where there is none, returns the calls around the
 * point where every order failed; otherwise nothing.
 */
export function unexplained<State>(
  operations: readonly Operation[],
  initial: State,
  model: Model<State>,
): readonly Operation[] {
  const all = [...operations].sort((a, b) => a.begin - b.begin);
  const failed = new Set<string>();
  let furthest = 0;
  /** Depth-first with an explicit stack, since histories are long. */
  const stack: { done: ReadonlySet<number>; from: number; state: State }[] = [
    { done: new Set(), from: 0, state: initial },
  ];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { done, from, state } = step;
    if (from === all.length) return [];
    furthest = Math.max(furthest, from);
    const key = `${from} ${[...done].join()} ${JSON.stringify(state)}`;
    if (failed.has(key)) continue;
    failed.add(key);
    for (const index of candidates(done, from).reverse()) {
      const operation = all[index] as Operation;
      const states = model(state, operation);
      const after = operation.result === undefined ? [...states, state] : states;
      for (const next of after) stack.push({ ...without(done, from, index), state: next });
    }
  }
  return all.slice(Math.max(furthest - 6, 0), furthest + 8);

  /** Calls that may come next: no other open call ended before they started. */
  function candidates(done: ReadonlySet<number>, from: number): number[] {
    const open: number[] = [];
    let firstEnd = Number.POSITIVE_INFINITY;
    for (let index = from; index < all.length; index++) {
      const operation = all[index] as Operation;
      if (done.has(index)) continue;
      if (operation.begin > firstEnd) break;
      firstEnd = Math.min(firstEnd, operation.end);
      open.push(index);
    }
    return open.filter((index) => (all[index] as Operation).begin <= firstEnd);
  }

  function without(done: ReadonlySet<number>, from: number, index: number) {
    const now = new Set(done).add(index);
    let first = from;
    for (; now.has(first); first++) now.delete(first);
    return { done: now, from: first };
  }
}
