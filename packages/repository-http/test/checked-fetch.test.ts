import { expect, onTestFinished, test } from "vitest";
import { checkedFetch } from "../src/index.js";
import { webServer } from "./web-server.js";

async function site() {
  const web = await webServer({ "/x": { body: "answer" } });
  onTestFinished(() => web.close());
  return web;
}

test("checkedFetch sends what it is given where the address is allowed", async () => {
  const { origin, requests } = await site();
  const fetch = checkedFetch({ url: origin, allowHttp: true, allowPrivate: true });
  const answer = await fetch(`${origin}/x`, { method: "POST", body: "text", headers: { "x-a": "b" } });
  expect([answer.status, await answer.text()]).toEqual([200, "answer"]);
  expect(requests).toMatchObject([{ method: "POST", headers: { "x-a": "b" } }]);
});

test("checkedFetch refuses a private address, an unencrypted one, and another private origin", async () => {
  const [{ origin, requests }, other] = [await site(), await site()];
  const refused = async (fetch: typeof globalThis.fetch, url: string) =>
    await fetch(url).then(
      () => "sent",
      (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code,
    );
  expect(await refused(checkedFetch({ url: origin, allowHttp: true }), origin)).toBe("REFUSED");
  expect(await refused(checkedFetch({ url: "https://example.com/" }), origin)).toBe("REFUSED");
  const own = checkedFetch({ url: origin, allowHttp: true, allowPrivate: true });
  expect(await refused(own, other.origin)).toBe("REFUSED");
  expect([...requests, ...other.requests]).toEqual([]);
});
