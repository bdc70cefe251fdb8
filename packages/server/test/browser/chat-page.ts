import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { build } from "esbuild";
import { Hono } from "hono";
import { chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { AgentServer } from "../../src/index.js";

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
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });
  onTestFinished(async () => {
    await browser.close();
    if ("closeAllConnections" in http) http.closeAllConnections();
    http.close();
  });
  const page = await browser.newPage();
  // Only a failure takes all of it.
  page.setDefaultTimeout(120_000);
  const { port } = http.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/${search}#token=ada&id=${conversation}`);
  return page;
}

const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
