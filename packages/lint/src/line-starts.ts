/** Returns the offset of each line. Lines end with LF, CRLF or CR; there is at least one. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  let feed = text.indexOf("\n");
  let carriage = text.indexOf("\r");
  while (feed !== -1 || carriage !== -1) {
    const end = carriage === -1 || (feed !== -1 && feed < carriage) ? feed : carriage;
    const next = end === carriage && feed === end + 1 ? end + 2 : end + 1;
    starts.push(next);
    if (feed !== -1 && feed < next) feed = text.indexOf("\n", next);
    if (carriage !== -1 && carriage < next) carriage = text.indexOf("\r", next);
  }
  return starts;
}
