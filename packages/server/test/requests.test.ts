import { describe, expect, test } from "vitest";
import { agentServer } from "../src/index.js";
import { ask, keptLog, newConversation, testServer } from "./test-server.js";

describe("a request that is refused", () => {
  const refused: readonly (readonly [string, string, object, number, string])[] = [
    ["an unknown path", "/nothing", {}, 404, "NOT_FOUND"],
    ["an unknown conversation", "/conversations/none", {}, 404, "SESSION_NOT_FOUND"],
    ["an id that is none", "/conversations/a%2Fb", {}, 400, "INPUT_INVALID"],
    ["an unknown agent", "/conversations", { json: { agent: "other" } }, 400, "INPUT_INVALID"],
    ["a method that a path does not have", "/conversations", { method: "PUT" }, 405, "METHOD_NOT_ALLOWED"],
    ["an unknown field", "/conversations", { json: { name: "x" } }, 400, "INPUT_INVALID"],
    [
      "a body that is no JSON",
      "/conversations",
      { body: "{", headers: { "content-type": "application/json" } },
      400,
      "INPUT_INVALID",
    ],
    ["a body without its type", "/conversations", { body: "{}" }, 400, "INPUT_INVALID"],
    [
      "a body above the limit",
      "/conversations",
      { json: { title: "x".repeat(1024 * 1024) } },
      413,
      "TOO_LARGE",
    ],
    ["an unknown skill", "/skills/none", {}, 404, "SKILL_NOT_FOUND"],
    ["an unknown workspace", "/workspaces/none", { method: "DELETE" }, 404, "WORKSPACE_NOT_FOUND"],
    ["a page of another origin", "/agents", { headers: { origin: "https://evil.example" } }, 403, "REFUSED"],
  ];

  test.each(refused)("SERVE-08: is answered with a problem: %s", async (_, path, asked, status, code) => {
    const answer = await ask(testServer(), path, asked);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    const problem = (await answer.json()) as Record<string, unknown>;
    expect(problem).toEqual({
      ...{ type: "about:blank", title: expect.any(String), status, code },
      ...{ detail: expect.any(String), rule: expect.any(String), remedy: expect.any(String) },
    });
    expect(JSON.stringify(problem)).not.toMatch(/\bat .*:\d+:\d+/);
  });

  test("tells nothing of an error that nobody expected", async () => {
    const server = testServer({
      authenticate: () => {
        throw new Error("the password of the database is hunter2");
      },
      log: keptLog().log,
    });
    const answer = await ask(server, "/agents");
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("hunter2");
  });
});

test("every answer forbids to guess its type, to run scripts and to be kept", async () => {
  const server = testServer();
  for (const path of ["/agents", "/nothing", "/health"])
    expect(Object.fromEntries((await ask(server, path)).headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cache-control": "no-store",
    });
});

test("pages of a configured origin may send requests", async () => {
  const server = testServer({ origins: ["https://chat.example"] });
  const headers = { origin: "https://chat.example" };
  expect((await ask(server, "/agents", { headers })).status).toBe(200);
});

describe("the local user", () => {
  const agents = { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } };
  const asked = async (url: string, token?: string) => {
    await using server = agentServer({ agents });
    const authorization = `Bearer ${token ?? server.token}`;
    return await server.fetch(new Request(url, { headers: { authorization } }));
  };

  test("is known by the token", async () => {
    expect((await asked("http://127.0.0.1:4000/v1/agents")).status).toBe(200);
    expect((await asked("http://127.0.0.1:4000/v1/agents", "another")).status).toBe(401);
  });

  test("SERVE-09: is answered at names of this machine only, so that no other name leads here", async () => {
    expect((await asked("http://[::1]:4000/v1/agents")).status).toBe(200);
    const rebound = await asked("http://evil.example:4000/v1/agents");
    expect(rebound.status).toBe(403);
    expect(await rebound.json()).toMatchObject({
      code: "REFUSED",
      detail: expect.stringContaining("evil.example"),
    });
  });

  test("has another token in each server", async () => {
    await using one = agentServer({ agents });
    await using other = agentServer({ agents });
    expect(one.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(one.token).not.toBe(other.token);
  });
});

describe("an upload", () => {
  test("SERVE-10: above the limit is refused before its body is read", async () => {
    const server = testServer({ maxUploadBytes: 10 });
    const id = await newConversation(server);
    let read = 0;
    const body = new ReadableStream(
      { pull: (controller) => controller.enqueue(new Uint8Array(++read)) },
      { highWaterMark: 0 },
    );
    const headers = { "content-length": "11" };
    const answer = await ask(server, `/conversations/${id}/uploads/a.txt`, { method: "PUT", body, headers });
    expect(answer.status).toBe(413);
    expect(read).toBe(0);
    expect(await (await ask(server, "/workspaces")).json()).toEqual([]);
  });

  test("that grows past the limit while it is read is refused and leaves no file", async () => {
    const server = testServer({ maxUploadBytes: 10 });
    const id = await newConversation(server);
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(4)) });
    const answer = await ask(server, `/conversations/${id}/uploads/a.txt`, { method: "PUT", body });
    expect(answer.status).toBe(413);
    expect(await (await ask(server, `/conversations/${id}/files`)).json()).toEqual([]);
  });

  test("keeps to the folder of uploads, whatever its name is", async () => {
    const server = testServer();
    const id = await newConversation(server);
    const path = `/conversations/${id}/uploads/${encodeURIComponent("../../escape.txt")}`;
    const answer = await ask(server, path, { method: "PUT", body: "x" });
    expect(await answer.json()).toMatchObject({ path: "work/inputs/escape.txt" });
  });
});
