import { createRequire } from "node:module";
import { root } from "../../scripts/bootstrap/root.mjs";
import { built } from "../built.mjs";
import { benchServer } from "../server/bench-server.mjs";

const { chromium } = createRequire(`${root}/apps/web/package.json`)("playwright-core");

/** The path of an empty page, which shows what browser and server cost without our page. */
export const EMPTY = "empty";

/**
 * Starts a server with the page, whose model says these steps, and a browser. `close` ends both.
 * @param {Parameters<typeof benchServer>[0]} steps
 * @param {object} [more] Options of the server.
 */
export async function pageHouse(steps, more = {}) {
  const { PAGE_EVENT_LIMITS, webPage } = await built("web");
  const files = webPage();
  const front = (/** @type {Request} */ request) =>
    new URL(request.url).pathname === `/${EMPTY}`
      ? new Response("<!doctype html><title>Empty</title><p>Nothing", {
          headers: { "content-type": "text/html" },
        })
      : files(request);
  const agents = {
    assistant: { modelConfig: { provider: "test", model: "test" }, eventLimits: PAGE_EVENT_LIMITS },
  };
  const server = await benchServer(steps, { isolation: "auto", more: { agents, ...more }, front });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  return {
    server,
    /** Opens this path of the server in a new browser profile. @param {string} path */
    open: async (path) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${server.address}${path}`);
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
