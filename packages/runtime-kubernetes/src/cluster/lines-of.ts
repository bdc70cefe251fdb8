/** Cuts a stream of bytes into lines; the last one needs an end too. */
export async function* linesOf(stream: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const piece of stream) {
    rest = Buffer.concat([rest, piece as Buffer]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      yield rest.toString("utf8", start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
}
