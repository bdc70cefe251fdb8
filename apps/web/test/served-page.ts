import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { AgentServer } from "@skillwright/server";
import { onTestFinished } from "vitest";
import { webPage } from "../../../packages/web/src/web-page.js";

/** The built page and a server at one address of this machine. */
export interface ServedPage {
  /** With a slash at the end. */
  readonly address: string;
  /** Ends all connections and listens no more, as a killed server. */
  close(): Promise<void>;
}

/** @param port 0 for any free one. */
export async function servedPage(server: Pick<AgentServer, "fetch">, port = 0): Promise<ServedPage> {
  const page = webPage();
  const http = createAdaptorServer({
    fetch: async (request: Request) => page(request) ?? (await server.fetch(request)),
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const close = async () => {
    const closed = new Promise((resolve) => http.close(resolve));
    if ("closeAllConnections" in http) http.closeAllConnections();
    await closed;
  };
  onTestFinished(close);
  return { address: `http://localhost:${(http.address() as AddressInfo).port}/`, close };
}
