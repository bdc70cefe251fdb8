import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import { Secret, SkillError } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isPublicAddress } from "../src/address/public-address.js";
import { type HttpRepositoryOptions, httpRepository } from "../src/index.js";
import { failure, printed } from "./failure.js";
import { digestOf, SCHEMA } from "./published.js";
import { type WebServer, webServer } from "./web-server.js";

let server: WebServer;
beforeEach(async () => {
  server = await webServer({ "/csv.md": skillMarkdown("csv") });
});
afterEach(async () => await server.close());

describe("private addresses", () => {
  test.each([
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "localhost.",
    "①②⑦.0.0.1",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "localhost",
    "app.localhost",
    "0.0.0.0",
    "10.1.2.3",
    "[::]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
  ])("STORE-06: %s is refused, and no request is sent", async (host) => {
    const error = await failure(
      opened({ url: `http://${host}:${server.port}/csv.md`, allowPrivate: false }).list(),
    );
    expect([error.code, error.message]).toEqual(["REFUSED", expect.stringContaining("allowPrivate")]);
    expect(server.requests).toEqual([]);
  });

  test("STORE-06: the same server is reached where private addresses are allowed", async () => {
    expect((await opened({ url: `${server.origin}/csv.md` }).list()).skills).toHaveLength(1);
  });

  test.each([
    ["8.8.8.8", true],
    ["2606:4700::1111", true],
    ["::ffff:8.8.8.8", true],
    ["64:ff9b::808:808", true],
    ["::ffff:10.0.0.1", false],
    ["64:ff9b::a00:1", false],
    ["64:ff9b:1::808:808", false],
    ["::8.8.8.8", false],
    ["100.64.0.1", false],
    ["172.31.255.255", false],
    ["192.168.1.1", false],
    ["198.18.0.1", false],
    ["203.0.113.1", false],
    ["224.0.0.1", false],
    ["240.0.0.1", false],
    ["255.255.255.255", false],
    ["fc00::1", false],
    ["fec0::1", false],
    ["ff02::1", false],
    ["fe80::1%eth0", false],
    ["2001:db8::1", false],
    ["2001::1", false],
    ["2002:808:808::", false],
    ["4000::1", false],
    ["", false],
    ["example.com", false],
  ])("%s is public: %s", (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));
});

describe("host names", () => {
  const url = (): string => `http://skills.example:${server.port}/csv.md`;

  test("a host with a private address among its addresses is refused", async () => {
    for (const addresses of [["127.0.0.1"], ["3ffe::1", "127.0.0.1"], ["127.0.0.1", "3ffe::1"]]) {
      const repository = opened({ url: url(), allowPrivate: false, resolve: async () => addresses });
      expect((await failure(repository.list())).code).toBe("REFUSED");
    }
    expect(server.requests).toEqual([]);
  });

  test("STORE-07: the connection uses the address that was checked; the name is not resolved a second time", async () => {
    const told: string[] = [];
    const resolve = async (): Promise<readonly string[]> => {
      told.push(told.length === 0 ? "3ffe::1" : "127.0.0.1");
      return told.slice(-1);
    };
    // No host has that address.
    const repository = opened({ url: url(), allowPrivate: false, resolve, timeoutMs: 1000 });
    expect((await failure(repository.list())).code).toBe("BACKEND_FAILED");
    expect(told).toEqual(["3ffe::1"]);
    // The next call resolves, checks and connects again.
    expect((await failure(repository.list())).code).toBe("REFUSED");
    expect(server.requests).toEqual([]);
  });

  test("the configured resolver is used", async () => {
    const repository = opened({ url: url(), resolve: async () => ["127.0.0.1"] });
    expect((await repository.list()).skills.map(({ name }) => name)).toEqual(["csv"]);
    expect(server.requests[0]?.headers.host).toBe(`skills.example:${server.port}`);
  });

  test("a host without addresses, or with invalid ones, ends with BACKEND_FAILED", async () => {
    for (const addresses of [[], ["nonsense"]]) {
      const repository = opened({ url: url(), resolve: async () => addresses });
      expect((await failure(repository.list())).code).toBe("BACKEND_FAILED");
    }
  });
});

describe("redirects", () => {
  test("five redirects are followed, six are not", async () => {
    for (let step = 1; step <= 6; step++)
      server.pages[`/${step}`] = to(step === 6 ? "/csv.md" : `${step + 1}`);
    expect((await opened({ url: `${server.origin}/2` }).list()).skills).toHaveLength(1);
    const error = await failure(opened({ url: `${server.origin}/1` }).list());
    expect([error.code, error.message]).toEqual(["BACKEND_FAILED", expect.stringContaining("more than 5")]);
  });

  test("STORE-15: a redirect loop is an error, reported with the first address", async () => {
    server.pages["/a"] = to("/b");
    server.pages["/b"] = to("/a");
    const error = await failure(opened({ url: `${server.origin}/a` }).list());
    expect([error.code, error.message]).toEqual([
      "BACKEND_FAILED",
      expect.stringMatching(/\/a leads in a circle/),
    ]);
    expect(server.answers).toEqual(["302 /a", "302 /b"]);
  });

  test.each([
    ["file:///etc/passwd", "REFUSED"],
    ["ftp://127.0.0.1/a", "REFUSED"],
    ["data:text/markdown,x", "REFUSED"],
    ["http://ada:s3cret@127.0.0.1/a", "REFUSED"],
    ["http://other.example/a", "REFUSED"],
    ["http://[::1", "BACKEND_FAILED"],
  ])("a redirect to %s is not followed where only the own origin is allowed", async (location, code) => {
    server.pages["/a"] = to(location);
    const error = await failure(opened({ url: `${server.origin}/a`, allowOrigins: [] }).list());
    expect(error.code).toBe(code);
    expect(printed(error)).not.toContain("s3cret");
  });

  test("a redirect to an allowed origin is followed", async () => {
    const other = await webServer({ "/csv.md": skillMarkdown("csv") });
    try {
      server.pages["/a"] = to(`${other.origin}/csv.md`);
      const url = `${server.origin}/a`;
      expect((await failure(opened({ url, allowOrigins: ["https://example.com"] }).list())).code).toBe(
        "REFUSED",
      );
      expect((await opened({ url, allowOrigins: [other.origin] }).list()).skills).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test("STORE-06: no redirect and no entry leads to a private address that the caller did not name", async () => {
    const other = await webServer({ "/csv.md": skillMarkdown("csv") });
    try {
      const url = `${other.origin}/csv.md`;
      server.pages["/a"] = to(url);
      expect((await failure(opened({ url: `${server.origin}/a` }).list())).code).toBe("REFUSED");
      const entry = { name: "csv", type: "skill-md", url, digest: digestOf(skillMarkdown("csv")) };
      server.pages["/index"] = JSON.stringify({ $schema: SCHEMA, skills: [entry] });
      const { broken } = await opened({ url: `${server.origin}/index` }).list();
      expect(broken[0]?.diagnostics[0]?.code).toBe("fetch.refused");
      expect(other.requests).toEqual([]);
      const named = opened({ url: `${server.origin}/index`, allowOrigins: [other.origin] });
      expect((await named.list()).skills).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test("headers and credentials are sent to the own origin only, and not after a redirect has left it", async () => {
    const other = await webServer({ "/b": to(`${server.origin}/c`) });
    try {
      server.pages["/a"] = to("/a2");
      server.pages["/a2"] = to(`${other.origin}/b`);
      server.pages["/c"] = to("/csv.md");
      const url = server.origin.replace("//", "//ada:p%40ss@");
      const headers = { "X-Key": new Secret("k3y") };
      await opened({ url: `${url}/a`, headers, allowOrigins: [other.origin] }).list();
      const sent = (web: WebServer): unknown[] =>
        web.requests.map(({ url, headers }) => [url, headers.authorization, headers["x-key"]]);
      const basic = `Basic ${Buffer.from("ada:p@ss").toString("base64")}`;
      expect(sent(server)).toEqual([
        ["/a", basic, "k3y"],
        ["/a2", basic, "k3y"],
        ["/c", undefined, undefined],
        ["/csv.md", undefined, undefined],
      ]);
      expect(sent(other)).toEqual([["/b", undefined, undefined]]);
    } finally {
      await other.close();
    }
  });
});

describe("options", () => {
  test.each<[string, Partial<HttpRepositoryOptions>]>([
    ["no address", { url: "skills" }],
    ["http without allowHttp", { url: "http://example.com/s3cret", allowHttp: false }],
    ["another scheme", { url: "file:///etc/passwd" }],
    ["a lone percent sign", { url: "https://ada:%zzs3cret@example.com/" }],
    ["a short digest", { digest: "sha256:12" }],
    ["an origin with a path", { allowOrigins: ["https://example.com/a"] }],
    ["a host header", { headers: { Host: "s3cret" } }],
    ["a header of two lines", { headers: { "x-a": "s3cret\r\nx-b: c" } }],
    ["two authorizations", { url: "https://a:s3cret@example.com/", headers: { Authorization: "s3cret" } }],
    ["no time", { timeoutMs: 0 }],
    ["more than 256 MiB", { limits: { archiveBytes: 256 * 1024 * 1024 + 1 } }],
    ["half a file", { limits: { files: 0.5 } }],
  ])("%s: refused at once, without secrets in the error", (_, options) => {
    const make = (): unknown => opened({ url: "https://example.com/", ...options });
    expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(make).not.toThrow(/s3cret@|: s3cret|%zz/);
  });

  test("label and errors contain neither credentials nor the query", async () => {
    const url = server.origin.replace("//", "//ada:s3cret@");
    server.pages["/big.md"] = "x".repeat(5000);
    const digest = `sha256:${"0".repeat(64)}`;
    for (const [path, options] of [
      ["/missing.zip", {}],
      ["/csv.md", { digest }],
      ["/big.md", { limits: { archiveBytes: 1000 } }],
      ["/big.md", { allowPrivate: false }],
    ] as const) {
      const repository = opened({ url: `${url}${path}?token=s3cret#s3cret`, ...options });
      const error = await failure(repository.list());
      expect(printed(error)).not.toContain("s3cret");
      expect(repository.label).toBe(`http ${server.origin}${path}`);
    }
    expect(server.answers).toContain("404 /missing.zip?token=s3cret");
  });

  test("after closing, every call that would fetch ends with CLOSED", async () => {
    const repository = opened({ url: `${server.origin}/csv.md` });
    await repository.list();
    await repository.close();
    for (const call of [repository.list(), repository.load("csv"), repository.refresh()])
      expect(SkillError.is(await failure(call), "CLOSED")).toBe(true);
  });
});

function to(location: string): { status: number; headers: Record<string, string> } {
  return { status: 302, headers: { location } };
}

function opened(options: HttpRepositoryOptions): ReturnType<typeof httpRepository> {
  return httpRepository({ openArchive, allowHttp: true, allowPrivate: true, ...options });
}
