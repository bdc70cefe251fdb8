/** The first promise of each group of a contract, for an arrangement of an adapter that runs all of them in another one. */
export function shortForm<Promised extends { readonly id: string }>(
  promises: readonly Promised[],
): readonly Promised[] {
  const groups = promises.map(({ id }) => id.split("/")[1]);
  return promises.filter((_, at) => groups.indexOf(groups[at]) === at);
}
