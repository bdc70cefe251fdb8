import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { listen } from "../../src/node.js";
import { testServer } from "../test-server.js";
import { chromiumPage } from "./chromium-page.js";

/** Serves an empty page and returns its origin. */
async function emptyPage(): Promise<string> {
  const http = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Page</title>");
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://localhost:${(http.address() as AddressInfo).port}`;
}

/** What a page sees of a server at another origin; runs in the page. */
async function seen(address: string): Promise<unknown> {
  const ask = (path: string, method: string, body?: string, token = "ada") =>
    fetch(`${address}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body }),
    });
  try {
    const created = await ask("/conversations", "POST", '{"id":"one"}');
    const renamed = await ask("/conversations/one", "PATCH", '{"title":"Named"}');
    const uploaded = await ask("/conversations/one/uploads/a.json", "PUT", "{}");
    const said = '{"message":{"parts":[{"type":"text","text":"Hello"}]}}';
    const turn = await ask("/conversations/one/turns", "POST", said);
    const events = await turn.text();
    const refused = await ask("/agents", "GET", undefined, "nobody");
    return {
      statuses: [created, renamed, uploaded, turn, refused].map(({ status }) => status),
      isWhole: events.endsWith("data: [DONE]\n\n"),
      address: turn.headers.get("content-location"),
      problem: ((await refused.json()) as { code: string }).code,
    };
  } catch (error) {
    return (error as Error).name;
  }
}

if (hasAll("Chromium", "bubblewrap"))
  test("SERVE-75: a page of a configured origin uses the server in Chromium, and one of another origin gets nothing", async () => {
    const [allowed, other] = [await emptyPage(), await emptyPage()];
    const { address, close } = await listen(testServer({ origins: [allowed] }), { port: 0 });
    onTestFinished(() => close());
    const page = await chromiumPage();
    await page.goto(other);
    expect(await page.evaluate(seen, address)).toBe("TypeError");
    await page.goto(allowed);
    expect(await page.evaluate(seen, address)).toEqual({
      ...{ statuses: [201, 200, 201, 200, 401], isWhole: true, problem: "UNAUTHENTICATED" },
      address: expect.stringMatching(/^\/v1\/conversations\/one\/turns\/.*\/stream$/),
    });
  });
