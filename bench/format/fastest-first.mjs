/** Ours first, the others by time. */
export function fastestFirst(measured) {
  const isOurs = ({ contestant }) => contestant.facts.from === undefined;
  const others = measured.filter((one) => !isOurs(one));
  return [...measured.filter(isOurs), ...others.sort((a, b) => a.whole - b.whole)];
}
