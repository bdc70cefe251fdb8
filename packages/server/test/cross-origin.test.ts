import { describe, expect, test } from "vitest";
import { allEvents, ask, keptLog, newConversation, say, testServer } from "./test-server.js";

const PAGE = "https://chat.example";
const ORIGIN = { origin: PAGE };

const preflight = (origin: string, method = "POST") => ({
  method: "OPTIONS",
  user: "nobody",
  headers: {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,content-type",
  },
});

/** The headers that concern pages of other origins. */
function crossOrigin({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"),
  );
}

const listOf = (text: string | null) => (text ?? "").split(",").map((one) => one.trim());

describe("a page of a configured origin", () => {
  test("SERVE-75: gets an answer to its preflight before it is authenticated", async () => {
    const server = testServer({
      origins: ["https://first.example", PAGE],
      authenticate: () => expect.fail("asked for the user"),
    });
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await ask(server, "/conversations", preflight(PAGE, method));
      expect(answer.status).toBe(204);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("access-control-allow-origin")).toBe(PAGE);
      expect(listOf(answer.headers.get("access-control-allow-methods"))).toContain(method);
      expect(listOf(answer.headers.get("access-control-allow-headers"))).toEqual([
        "authorization",
        "content-type",
      ]);
      expect(answer.headers.get("access-control-max-age")).toBe("600");
      expect(listOf(answer.headers.get("vary"))).toContain("Origin");
    }
  });

  test("SERVE-75: may read every answer, also a refusal, a failure and a stream", async () => {
    const server = testServer({ origins: [PAGE], log: keptLog().log });
    const id = await newConversation(server);
    const turn = { message: { parts: [{ type: "text", text: "Hello" }] } };
    const asked: readonly (readonly [number, string, object])[] = [
      [200, "/health", { user: "nobody" }],
      [200, "/openapi.json", { user: "nobody" }],
      [200, "/agents", {}],
      [201, "/conversations", { json: {} }],
      [400, "/conversations", { json: { name: "x" } }],
      [401, "/agents", { user: "nobody" }],
      [404, "/nothing", {}],
      [404, "/conversations/none", {}],
      [405, "/agents", { method: "PUT" }],
      [413, "/conversations", { json: { title: "x".repeat(1024 * 1024) } }],
      [200, `/conversations/${id}/turns`, { json: turn }],
      [204, `/conversations/${id}`, { method: "DELETE" }],
    ];
    for (const [status, path, given] of asked) {
      const answer = await ask(server, path, { ...given, headers: ORIGIN });
      expect([path, answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
        ...[path, status, PAGE],
      ]);
      expect(listOf(answer.headers.get("vary"))).toContain("Origin");
      await answer.text();
    }
    const failing = testServer({
      origins: [PAGE],
      log: keptLog().log,
      authenticate: () => Promise.reject(new Error("broken")),
    });
    const failed = await ask(failing, "/agents", { headers: ORIGIN });
    expect([failed.status, failed.headers.get("access-control-allow-origin")]).toEqual([500, PAGE]);
  });

  test("SERVE-75: may read all headers that an answer has for its client", async () => {
    const server = testServer({
      origins: [PAGE],
      limiter: {
        consume: (user) => (user === "bob" ? Promise.reject({ msBeforeNext: 1 }) : Promise.resolve()),
      },
    });
    const id = await newConversation(server);
    await allEvents(await say(server, id, "Hello"));
    await ask(server, `/conversations/${id}/uploads/a.txt`, { method: "PUT", body: "x" });
    const answers = [
      await ask(server, "/agents", { headers: ORIGIN }),
      await ask(server, "/agents", { headers: ORIGIN, user: "nobody" }),
      await ask(server, "/agents", { headers: ORIGIN, user: "bob" }),
      await ask(server, "/agents", { headers: ORIGIN, method: "PUT" }),
      await ask(server, `/conversations/${id}/files/content?path=work/inputs/a.txt`, { headers: ORIGIN }),
      await ask(server, `/conversations/${id}/turns`, {
        ...{ headers: ORIGIN, json: { message: { parts: [{ type: "text", text: "Again" }] } } },
      }),
    ];
    for (const answer of answers) {
      const exposed = listOf(answer.headers.get("access-control-expose-headers"));
      const sent = [...answer.headers.keys()].filter((name) => !ALWAYS_READ.test(name));
      expect(sent.filter((name) => !exposed.includes(name))).toEqual([]);
      await answer.text();
    }
    const names = answers.flatMap(({ headers }) => [...headers.keys()]);
    for (const name of [
      "content-location",
      "retry-after",
      "content-disposition",
      "www-authenticate",
      "allow",
    ])
      expect(names).toContain(name);
  });
});

/** Headers that browsers always show to pages, and headers that are meant for the browser itself. */
const ALWAYS_READ =
  /^(cache-control|content-(length|type|security-policy)|access-control-.*|vary|referrer-policy|x-accel-buffering|x-content-type-options)$/;

describe("a page of another origin", () => {
  test("SERVE-76: gets no permission, even if its origin is similar to a configured one", async () => {
    const server = testServer({ origins: [PAGE] });
    for (const origin of [
      "https://evil.example",
      `${PAGE}.evil.example`,
      `${PAGE}:8443`,
      "http://chat.example",
    ]) {
      const asked = await ask(server, "/agents", { headers: { origin } });
      expect([asked.status, crossOrigin(asked)]).toEqual([403, {}]);
      const before = await ask(server, "/agents", preflight(origin));
      expect([before.status, crossOrigin(before)]).toEqual([403, {}]);
    }
  });

  test("SERVE-76: gets no permission from a server without `origins`, and requests that no page sends need none", async () => {
    const asked = await ask(testServer(), "/agents", preflight(PAGE));
    expect([asked.status, crossOrigin(asked)]).toEqual([403, {}]);
    const server = testServer({ origins: [PAGE] });
    for (const headers of [{}, { origin: "http://localhost" }] as Record<string, string>[]) {
      const answer = await ask(server, "/agents", { headers });
      expect([answer.status, crossOrigin(answer)]).toEqual([200, {}]);
    }
  });
});

test("`agentServer` refuses `origins` that no browser sends", () => {
  for (const origin of [
    "https://chat.example/",
    "https://chat.example/app",
    "chat.example",
    "*",
    "HTTPS://Chat.Example",
  ])
    expect(() => testServer({ origins: [origin] })).toThrow(JSON.stringify(origin));
});
