const LINE_END = 10;

/** Joins pieces of output to lines. Each piece is looked at once. */
export function messageLines(onLine: (line: string) => void): (piece: Buffer) => void {
  let begun: Buffer[] = [];
  return (piece) => {
    let rest = piece;
    for (let end = rest.indexOf(LINE_END); end !== -1; end = rest.indexOf(LINE_END)) {
      const line = Buffer.concat([...begun, rest.subarray(0, end)]).toString("utf8");
      begun = [];
      rest = rest.subarray(end + 1);
      onLine(line);
    }
    if (rest.byteLength > 0) begun.push(rest);
  };
}
