import type { IncomingMessage } from "node:http";

/** How long the rest of a refused body is read, and how many bytes of it. */
const LINGER_MS = 2000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Returns the answer. If it refuses a request whose body has not arrived completely, the returned answer says that the connection
 * is closed. The rest of the body is read and thrown away before that: if the connection were closed while the client sends, the
 * client could lose the answer. HTTP/2 needs none of this, because it can end one stream alone.
 */
export async function lastAnswer(answer: Response, incoming: IncomingMessage): Promise<Response> {
  const isWhole = incoming.complete || incoming.httpVersionMajor > 1;
  if (isWhole || answer.status < 400 || answer.headers.get("connection") === "close") return answer;
  const body = new Uint8Array(await answer.arrayBuffer());
  const headers = new Headers(answer.headers);
  headers.set("connection", "close");
  headers.set("content-length", String(body.byteLength));
  return new Response(held(body, incoming), { status: answer.status, headers });
}

/** The stream ends after the rest of the request. The client has the whole answer before, because `content-length` tells its end. */
function held(body: Uint8Array, incoming: IncomingMessage): ReadableStream<Uint8Array> {
  async function* pieces() {
    yield body;
    await rest(incoming);
  }
  return ReadableStream.from(pieces()) as unknown as ReadableStream<Uint8Array>;
}

function rest(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (incoming.complete || incoming.destroyed) return resolve();
    let left = LINGER_BYTES;
    const timer = setTimeout(done, LINGER_MS);
    function take({ byteLength }: Uint8Array): void {
      left -= byteLength;
      if (left < 0) done();
    }
    function done(): void {
      clearTimeout(timer);
      incoming.off("data", take);
      resolve();
    }
    // Otherwise a stream that nobody reads any more would keep the body from being read.
    incoming.removeAllListeners("data");
    incoming.on("data", take).once("end", done).once("close", done).once("error", done);
    incoming.resume();
  });
}
