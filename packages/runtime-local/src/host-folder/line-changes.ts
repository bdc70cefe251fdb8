const CONTEXT = 2;
const MOST_CELLS = 4_000_000;

/** The changed lines with two lines around them, each with `+`, `-` or a space in front. */
export function lineChanges(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const middle = compared(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (line: string) => ` ${line}`;
  const all = [...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)];
  return withContext(all.slice(0, old.length + now.length));
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** By the longest common subsequence; large parts are shown as replaced. */
function compared(old: readonly string[], now: readonly string[]): readonly string[] {
  const rows = old.length + 1;
  const columns = now.length + 1;
  if (rows * columns > MOST_CELLS)
    return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  const common = new Uint32Array(rows * columns);
  const at = (row: number, column: number) => common[row * columns + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      common[row * columns + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push(` ${old[row++]}`);
      column++;
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1)))
      lines.push(`-${old[row++]}`);
    else lines.push(`+${now[column++]}`);
  }
  return lines;
}

function withContext(lines: readonly string[]): readonly string[] {
  const near = new Set<number>();
  for (const [index, line] of lines.entries())
    if (!line.startsWith(" ")) for (let by = -CONTEXT; by <= CONTEXT; by++) near.add(index + by);
  return lines.filter((_line, index) => near.has(index));
}
