import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** What a page returns: bytes with headers, or a function that writes the answer itself. */
export type Page =
  | string
  | Uint8Array
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A real server on a free port of this machine. */
export interface WebServer {
  /** For example `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly port: number;
  /** The requests so far, as `<status> <path with query>`, in the order in which their answers began. */
  readonly answers: string[];
  /** The requests themselves. */
  readonly requests: IncomingMessage[];
  /** Pages by path without the query; any other path is 404. */
  pages: Record<string, Page>;
  close(): Promise<void>;
}

export async function webServer(
  pages: Record<string, Page> = {},
  tls?: { readonly key: string; readonly cert: string },
): Promise<WebServer> {
  const answers: string[] = [];
  const requests: IncomingMessage[] = [];
  const serve: RequestListener = (request, response) => {
    requests.push(request);
    const page = web.pages[new URL(request.url ?? "/", "http://localhost").pathname];
    if (typeof page === "function") {
      answers.push(`- ${request.url}`);
      page(request, response);
    } else send(page, response, answers, request);
  };
  const server = tls ? createSecureServer(tls, serve) : createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const web: WebServer = {
    origin: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    answers,
    requests,
    pages,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return web;
}

function send(
  page: Exclude<Page, (...args: never[]) => void> | undefined,
  response: ServerResponse,
  answers: string[],
  request: IncomingMessage,
): void {
  const plain = typeof page === "string" || page instanceof Uint8Array ? { body: page } : page;
  const { status = 200, headers = {}, body = "" } = plain ?? { status: 404 };
  const tag = headers["etag"];
  const isKnown = tag !== undefined && request.headers["if-none-match"] === tag;
  answers.push(`${isKnown ? 304 : status} ${request.url}`);
  if (isKnown) response.writeHead(304).end();
  else response.writeHead(status, headers).end(body);
}
