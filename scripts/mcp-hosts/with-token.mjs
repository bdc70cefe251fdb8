import { once } from "node:events";
import { createServer, request } from "node:http";

/**
 * Forwards requests to a server of this machine and adds the token, for clients that cannot send one. All else stays as it came, also
 * the host and the origin.
 *
 * @param {string} address
 * @param {string} token
 */
export async function withToken(address, token) {
  const target = new URL(address);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { hostname, port } = target;
    const forwarded = request({ hostname, port, method: incoming.method, path: incoming.url, headers });
    forwarded.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}${target.pathname}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
