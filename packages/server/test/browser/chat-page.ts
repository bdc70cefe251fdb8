import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { build } from "esbuild";
import { Hono } from "hono";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { AgentServer } from "../../src/index.js";
import { chromiumPage } from "./chromium-page.js";

const HTML =
  '<!doctype html><meta charset="utf-8"><title>Chat</title><body><script type="module" src="/page.js"></script>';

/** The page in Debian's Chromium, from the origin of the server; closed after the test. */
export async function chatPage(
  server: AgentServer,
  conversation: string,
  search: "" | "?own",
): Promise<Page> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("page.mjs", import.meta.url))],
    ...{ bundle: true, write: false, format: "esm", platform: "browser", minify: true },
    define: { "process.env.NODE_ENV": '"production"' },
    conditions: ["@skillwright/source"],
  });
  const script = outputFiles[0]?.text ?? "";
  const app = new Hono()
    .get("/", (c) => c.html(HTML))
    .get("/page.js", (c) => c.body(script, 200, { "content-type": "text/javascript" }));
  app.mount("/", (request) => server.fetch(request));
  const http = createAdaptorServer({ fetch: app.fetch });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    if ("closeAllConnections" in http) http.closeAllConnections();
    http.close();
  });
  const page = await chromiumPage();
  const { port } = http.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/${search}#token=ada&id=${conversation}`);
  return page;
}
