import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

/** A real HTTP server on a free port that answers with a web-standard function. */
export async function served(
  answer: (request: Request) => Promise<Response>,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", headers, url = "/" } = incoming;
    const told = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const request = new Request(`${origin}${url}`, {
      method,
      headers: told,
      ...(method === "POST" && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
    });
    const response = await answer(request).catch(() => new Response(null, { status: 500 }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) Readable.fromWeb(response.body as never).pipe(outgoing);
    else outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
