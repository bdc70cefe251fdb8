import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { webPage } from "../src/index.js";

const request = (path: string, init?: RequestInit) => new Request(`http://localhost:8787/${path}`, init);

if (hasAll("packages/web/dist/page")) {
  test("the page and its scripts come with a policy that admits nothing of other servers", async () => {
    const page = webPage();
    const answer = page(request(""));
    expect(answer?.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer?.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style/,
    );
    expect(answer?.headers.get("cache-control")).toBe("no-cache");
    const text = (await answer?.text()) ?? "";
    const [script = ""] = /assets\/[^"]+\.js/.exec(text) ?? [];
    const loaded = page(request(script));
    expect(loaded?.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(loaded?.headers.get("cache-control")).toContain("immutable");
    expect(await loaded?.text()).not.toMatch(/https:\/\/(?:cdn|fonts|unpkg)/);
  });

  test("foreign content is shown in a frame of an origin of its own", () => {
    const policy = webPage()(request("frame.html"))?.headers.get("content-security-policy");
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'/);
  });

  test("a file that the browser has is not sent again", () => {
    const page = webPage();
    const etag = page(request(""))?.headers.get("etag") ?? "";
    expect(page(request("", { headers: { "if-none-match": etag } }))?.status).toBe(304);
    expect(page(request("", { headers: { "if-none-match": '"another"' } }))?.status).toBe(200);
  });

  test("a browser that takes gzip gets the same content compressed, with an ETag of its own", async () => {
    const page = webPage();
    const plain = page(request(""));
    const packed = page(request("", { headers: { "accept-encoding": "gzip, br" } }));
    expect(packed?.headers.get("content-encoding")).toBe("gzip");
    const [whole = "", bytes] = [await plain?.text(), new Uint8Array((await packed?.arrayBuffer()) ?? [])];
    expect(gunzipSync(bytes).toString()).toBe(whole);
    expect(bytes.length).toBeLessThan(whole.length);
    expect(packed?.headers.get("etag")).not.toBe(plain?.headers.get("etag"));
    const refused = page(request("", { headers: { "accept-encoding": "br, gzip;q=0" } }));
    expect(refused?.headers.get("content-encoding")).toBeNull();
  });

  test("HEAD is answered with headers only; requests with other methods or paths get no answer", async () => {
    const page = webPage();
    const head = page(request("", { method: "HEAD" }));
    expect([head?.status, await head?.text()]).toEqual([200, ""]);
    for (const other of [request("", { method: "POST" }), request("v1/agents"), request("../package.json")])
      expect(page(other)).toBeUndefined();
  });
}
