import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { openArchive, writeArchive } from "@skillwright/archive";
import { Secret } from "@skillwright/core";
import {
  type HttpRegistry,
  type HttpRegistryOptions,
  httpRegistry,
  type RegistryHandlerOptions,
  registryHandler,
} from "../../src/index.js";

/** A registry behind a real server of node:http, on a free port of this machine. */
export interface RegistryServer {
  readonly origin: string;
  /** The requests so far, as `<method> <path>`. */
  readonly requests: string[];
  /** A client of it, closed with the server. */
  client(options?: Partial<HttpRegistryOptions> & { readonly token?: string }): HttpRegistry;
  close(): Promise<void>;
}

export async function registryServer(
  options: Omit<RegistryHandlerOptions, "writeArchive">,
): Promise<RegistryServer> {
  const handle = registryHandler({ openArchive, writeArchive, ...options });
  const requests: string[] = [];
  const clients: HttpRegistry[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    void answer(handle, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    client({ token, ...more } = {}) {
      const made = httpRegistry({
        url: `${origin}/`,
        openArchive,
        writeArchive,
        allowHttp: true,
        allowPrivate: true,
        ...(token !== undefined && { headers: { authorization: new Secret(`Bearer ${token}`) } }),
        ...more,
      });
      clients.push(made);
      return made;
    },
    async close() {
      for (const client of clients) await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The adapter from node:http to the Fetch API. */
async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "GET", headers, url = "/" } = incoming;
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const hasBody = method !== "GET" && method !== "HEAD";
  const response = await handle(
    new Request(new URL(url, "http://localhost"), {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      signal: gone.signal,
      ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
    } as RequestInit),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
