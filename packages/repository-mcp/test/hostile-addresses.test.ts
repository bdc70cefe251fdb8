import { Secret } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { mcpRepository } from "../src/index.js";
import { CACHE, honestAnswers, hostileServer } from "./hostile-server.js";
import { served } from "./served.js";

const HONEST = honestAnswers({ one: { "SKILL.md": "---\nname: one\ndescription: One.\n---\n" } });

test.each([
  ["JSON", "application/json", '{"jsonrpc":"2.0","id":1,"result":{"x":"'],
  ["events", "text/event-stream", "data: "],
  ["an error", "text/plain", ""],
])("a body of %s without an end is cut at the limit of an answer (MCP-22)", async (_, type, start) => {
  let sent = 0;
  const url = await answering(
    async () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from(start)),
          pull(controller) {
            sent += 65_536;
            controller.enqueue(Buffer.alloc(65_536, "x"));
          },
        }),
        { status: type === "text/plain" ? 500 : 200, headers: { "content-type": type } },
      ),
  );
  await using repository = mcpRepository({ server: { url }, limits: { answerBytes: 1024 * 1024 } });
  await expect(repository.list()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test("an address that never answers fails at the timeout (MCP-22)", async () => {
  const url = await answering(() => new Promise(() => undefined));
  await using repository = mcpRepository({ server: { url }, timeoutMs: 300 });
  await expect(repository.list()).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("did not answer within 300 ms"),
  });
});

test("an address where nothing listens fails with the reason (MCP-22)", async () => {
  const web = await served(async () => new Response());
  await web.close();
  await using repository = mcpRepository({ server: { url: web.origin } });
  await expect(repository.list()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
});

test("a redirect to another origin is not followed, and gets no header (MCP-22)", async () => {
  const asked: Request[] = [];
  const other = await answering(async (request) => {
    asked.push(request);
    return new Response();
  });
  const url = await answering(async () => new Response(null, { status: 307, headers: { location: other } }));
  await using repository = mcpRepository({
    server: { url, headers: { authorization: new Secret("Bearer secret") } },
  });
  await expect(repository.list()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  expect(asked).toEqual([]);
});

test("headers are sent to the server, and no message has them (MCP-22)", async () => {
  const seen = new Set<string | null>();
  const server = await hostileServer(HONEST);
  onTestFinished(() => server.close());
  await using repository = mcpRepository({
    server: {
      url: `${server.url}?key=secret`,
      headers: { authorization: new Secret("Bearer secret") },
      fetch: async (input, init) => {
        seen.add(new Headers(init?.headers).get("authorization"));
        return await fetch(input, init);
      },
    },
  });
  expect((await repository.list()).skills).toHaveLength(1);
  expect([...seen]).toEqual(["Bearer secret"]);
  const error = await repository.load("none").catch((reason: unknown) => reason);
  expect(`${error} ${repository.label}`).not.toContain("secret");
});

test.each([
  "http://example.com/mcp",
  "ftp://localhost/mcp",
  "no address",
  "https://user:secret@example.com/mcp",
  "http://localhost.example.com/mcp",
])("the address %s is refused at once, without its credentials (MCP-22)", (url) => {
  const make = () => mcpRepository({ server: { url } });
  expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  expect(make).not.toThrow(/secret/);
});

test.each([
  [
    "a thousand pages",
    (page: number) => `${page + 1}`,
    "LIMIT_EXCEEDED",
    /more than 100 pages.*limits\.pages/,
  ],
  ["pages in a circle", (page: number) => `${(page + 1) % 3}`, "BACKEND_FAILED", /circle/],
])("a list of %s ends with an error (MCP-22)", async (_, next, code, message) => {
  const server = await hostileServer({
    ...HONEST,
    page: (cursor) => ({ ...CACHE, skills: [], nextCursor: next(Number(cursor ?? 0)) }),
  });
  onTestFinished(() => server.close());
  await using repository = mcpRepository({ server: { url: server.url } });
  await expect(repository.list()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test.each([
  ["no list", { ...CACHE, skills: "none" }],
  ["a cursor that is no text", { ...CACHE, skills: [], nextCursor: 2 }],
  ["null", null],
])("a page with %s is refused (MCP-22)", async (_, page) => {
  const server = await hostileServer({ ...HONEST, page: () => page });
  onTestFinished(() => server.close());
  await using repository = mcpRepository({ server: { url: server.url } });
  await expect(repository.list()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
});

test("a refresh that fails keeps the listing (MCP-22)", async () => {
  const server = await hostileServer(HONEST);
  onTestFinished(() => server.close());
  await using repository = mcpRepository({ server: { url: server.url } });
  await repository.list();
  server.state.answers = { ...HONEST, page: () => null };
  await expect(repository.refresh()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  expect((await repository.list()).skills).toHaveLength(1);
});

async function answering(answer: (request: Request) => Promise<Response>): Promise<string> {
  const web = await served(answer);
  onTestFinished(() => web.close());
  return `${web.origin}/mcp`;
}
