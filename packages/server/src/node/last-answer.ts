import type { IncomingMessage } from "node:http";

/** How long, and how many bytes, a body is still taken after its refusal. */
const LINGER_MS = 2000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Returns the answer or, for a refusal before the request's body has arrived, one that says that the connection is closed.
 * The connection is closed once the rest of the body has been thrown away: a client that still sends could otherwise lose
 * the answer to a reset. HTTP/2 ends the stream alone.
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

/** The client has all that `content-length` announces while the stream waits for its end. */
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
    // A stream over the body that nobody reads any more would hold it back.
    incoming.removeAllListeners("data");
    incoming.on("data", take).once("end", done).once("close", done).once("error", done);
    incoming.resume();
  });
}
