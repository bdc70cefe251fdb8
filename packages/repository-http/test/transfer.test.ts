import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type HttpRepositoryOptions, httpRepository } from "../src/index.js";
import { failure } from "./failure.js";
import { archived, digestOf } from "./published.js";
import { type WebServer, webServer } from "./web-server.js";

const MEBIBYTE = 1024 * 1024;
const LIMITS = { archiveBytes: MEBIBYTE };

let server: WebServer;
beforeEach(async () => {
  server = await webServer();
});
afterEach(async () => await server.close());

describe("size", () => {
  test("STORE-10: an answer that announces one byte more than 256 MiB is refused before its body is read", async () => {
    const limit = 256 * MEBIBYTE;
    const { response, list } = await answering({ limits: { archiveBytes: limit } });
    response.writeHead(200, { "content-length": String(limit + 1) }).flushHeaders();
    // No byte of the body was received.
    const error = await failure(list);
    expect([error.code, error.details]).toEqual(["LIMIT_EXCEEDED", { limit }]);
    await closed(response);
  });

  test("STORE-11: an answer of unknown length is cut at the first byte over the limit, and its connection closed", async () => {
    const { response, list } = await answering({ limits: LIMITS });
    let outcome = "pending";
    list.catch(() => {
      outcome = "failed";
    });
    response.writeHead(200, { "content-type": "text/markdown" });
    await new Promise((resolve) => response.write(Buffer.alloc(MEBIBYTE, "x"), resolve));
    // A second request must be answered before the server sends more.
    await fetched("/ping");
    expect(outcome).toBe("pending");
    response.write("x");
    const error = await failure(list);
    expect([error.code, error.details]).toEqual(["LIMIT_EXCEEDED", { limit: MEBIBYTE }]);
    await closed(response);
  });

  test("STORE-11: exactly the limit is accepted", async () => {
    const markdown = skillMarkdown("csv").padEnd(MEBIBYTE);
    const { response, list } = await answering({ limits: LIMITS });
    response.writeHead(200, { "content-type": "text/markdown" });
    for (let start = 0; start < markdown.length; start += 10_000)
      response.write(markdown.slice(start, start + 10_000));
    response.end();
    expect((await list).skills.map(({ name }) => name)).toEqual(["csv"]);
  });

  test("STORE-12: a length that is not a number is refused by the HTTP parser", async () => {
    const raw = await rawServer(`HTTP/1.1 200 OK\r\ncontent-length: 1e9\r\n\r\n${skillMarkdown("csv")}`);
    try {
      expect((await failure(opened({ url: `${raw.origin}/csv.md` }).list())).code).toBe("BACKEND_FAILED");
    } finally {
      await raw.close();
    }
  });

  test("STORE-12: the announced length of an encoded body is ignored, its decoded bytes count", async () => {
    server.pages["/csv.md"] = encoded(gzipSync(skillMarkdown("csv").padEnd(MEBIBYTE + 1)), "gzip");
    const error = await failure(opened({ url: `${server.origin}/csv.md`, limits: LIMITS }).list());
    expect([error.code, error.details]).toEqual(["LIMIT_EXCEEDED", { limit: MEBIBYTE }]);
  });

  test("a body that ends before its announced length is an error", async () => {
    const raw = await rawServer(`HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${skillMarkdown("csv")}`);
    try {
      expect((await failure(opened({ url: `${raw.origin}/csv.md` }).list())).code).toBe("BACKEND_FAILED");
    } finally {
      await raw.close();
    }
  });
});

describe("content codings", () => {
  test("STORE-08: no content coding is requested, and one that is sent is decoded, up to the limit", async () => {
    const markdown = skillMarkdown("csv");
    server.pages["/csv.md"] = encoded(gzipSync(markdown), "gzip");
    const repository = opened({ url: `${server.origin}/csv.md`, digest: digestOf(markdown) });
    expect((await repository.list()).skills).toHaveLength(1);
    expect(server.requests[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test("STORE-08: a gzip bomb ends at the limit", async () => {
    server.pages["/csv.md"] = encoded(gzipSync(Buffer.alloc(64 * MEBIBYTE)), "x-gzip");
    const error = await failure(opened({ url: `${server.origin}/csv.md`, limits: LIMITS }).list());
    expect([error.code, error.details]).toEqual(["LIMIT_EXCEEDED", { limit: MEBIBYTE }]);
  });

  test("a tar.gz that a server declares as a gzip-encoded tar is read as the file it is", async () => {
    const bytes = await archived({ "SKILL.md": skillMarkdown("csv") }, "tar.gz");
    server.pages["/csv.tar.gz"] = encoded(bytes, "gzip");
    const repository = opened({ url: `${server.origin}/csv.tar.gz`, digest: digestOf(bytes) });
    expect((await repository.list()).skills).toHaveLength(1);
  });

  test.each(["zstd", "gzip, gzip", "gzip"])("%s that cannot be decoded is an error", async (coding) => {
    server.pages["/csv.md"] = encoded(Buffer.from(skillMarkdown("csv")), coding);
    expect((await failure(opened({ url: `${server.origin}/csv.md` }).list())).code).toBe("BACKEND_FAILED");
  });
});

describe("time", () => {
  test("STORE-08: a server that sends byte by byte ends at the deadline of the whole request", async () => {
    const { response, list } = await answering({ timeoutMs: 600 });
    response.writeHead(200, { "content-type": "text/markdown" });
    const drip = setInterval(() => response.write("x"), 50);
    try {
      const error = await failure(list);
      expect([error.code, error.details]).toEqual(["BACKEND_FAILED", { timeoutMs: 600 }]);
      await closed(response);
    } finally {
      clearInterval(drip);
    }
  });

  test("STORE-08: endless data ends at the limit", async () => {
    const { response, list } = await answering({ limits: LIMITS });
    response.writeHead(200);
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", pour);
    pour();
    expect((await failure(list)).code).toBe("LIMIT_EXCEEDED");
    await closed(response);
  });

  test.each(["before the answer", "within it"])(
    "a server that is silent %s ends at silenceMs",
    async (when) => {
      const { response, list } = await answering({ silenceMs: 300, timeoutMs: 60_000 });
      if (when === "within it") response.writeHead(200).write("---\n");
      const error = await failure(list);
      expect([error.code, error.message]).toEqual(["BACKEND_FAILED", expect.stringMatching(/timeout/i)]);
    },
  );

  test("aborting ends the call and the connection", async () => {
    const controller = new AbortController();
    const { response, list } = await answering({}, controller.signal);
    response.writeHead(200).write("---\n");
    controller.abort();
    expect((await failure(list)).code).toBe("ABORTED");
    await closed(response);
  });

  test("one caller's abort does not end the call of another", async () => {
    const controller = new AbortController();
    const { response, list, repository } = await answering({}, controller.signal);
    const other = repository.list();
    controller.abort();
    expect((await failure(list)).code).toBe("ABORTED");
    response.writeHead(200, { "content-type": "text/markdown" }).end(skillMarkdown("csv"));
    expect((await other).skills).toHaveLength(1);
  });
});

interface Answering {
  readonly response: ServerResponse;
  readonly list: ReturnType<ReturnType<typeof httpRepository>["list"]>;
  readonly repository: ReturnType<typeof httpRepository>;
}

/** A listing that waits for an answer, and the server's end of that answer. */
async function answering(options: Partial<HttpRepositoryOptions>, signal?: AbortSignal): Promise<Answering> {
  const repository = opened({ url: `${server.origin}/csv.md`, ...options });
  const asked = new Promise<ServerResponse>((resolve) => {
    server.pages["/csv.md"] = (_, response) => resolve(response);
  });
  const list = repository.list({ signal });
  list.catch(() => undefined);
  return { response: await asked, list, repository };
}

async function closed(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, "close");
}

async function fetched(path: string): Promise<void> {
  server.pages[path] = "x";
  await (await fetch(server.origin + path)).text();
}

function encoded(body: Uint8Array, coding: string): { body: Uint8Array; headers: Record<string, string> } {
  return { body, headers: { "content-encoding": coding, "content-length": String(body.byteLength) } };
}

/** Sends the given bytes, whether or not they are valid HTTP. */
async function rawServer(answer: string): Promise<{ origin: string; close(): Promise<void> }> {
  const raw = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const address = raw.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => void (await new Promise((resolve) => raw.close(resolve))),
  };
}

function opened(options: HttpRepositoryOptions): ReturnType<typeof httpRepository> {
  return httpRepository({ openArchive, allowHttp: true, allowPrivate: true, ...options });
}
