/** One call, as its caller saw it. */
export interface Operation {
  readonly kind: string;
  readonly name: string;
  /** Missing where the caller was killed before it was told; the call may then have had its effect or not. */
  readonly result: string | undefined;
  /** Of one clock for all callers. */
  readonly begin: number;
  readonly end: number;
}

/** The states that may follow, were the call made alone in that state with that result; none where it cannot be. */
export type Model<State> = (state: State, operation: Operation) => readonly State[];

/**
 * Looks for an order of the calls that explains all results, in which each takes effect at one moment between its begin
 * and its end, and each begins from the state that the one before left. Where there is none, gives the calls about the
 * place where every order came to its end; otherwise nothing.
 */
export function unexplained<State>(
  operations: readonly Operation[],
  initial: State,
  model: Model<State>,
): readonly Operation[] {
  const all = [...operations].sort((a, b) => a.begin - b.begin);
  const failed = new Set<string>();
  let furthest = 0;
  /** Depth first, on a stack of its own, since histories are long. */
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

  /** Those that may come next: no other open one ended before they began. */
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
