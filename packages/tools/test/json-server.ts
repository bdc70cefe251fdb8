import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface ServedRequest {
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a client sends, read by the tests as they like.
  readonly body: any;
}

/** A server on loopback that gives these answers in their order and keeps what was asked. */
export async function jsonServer(
  answers: readonly object[],
): Promise<{ origin: string; requests: ServedRequest[] }> {
  const requests: ServedRequest[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? "", body: await json(request) });
    const answer = answers[requests.length - 1];
    response.writeHead(answer ? 200 : 500, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { message: "There are no more answers." } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
