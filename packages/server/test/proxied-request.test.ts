import { expect, test } from "vitest";
import { testServer } from "./test-server.js";

const headers = { authorization: "Bearer ada", "content-type": "application/json" };

/** Like the proxy that Next gives to routes: its methods work, and classes of Node do not accept it as a request. */
function proxied(path: string, init: RequestInit): Request {
  const request = new Request(`http://localhost/v1${path}`, { headers, ...init });
  return new Proxy(request, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("SERVE-67: a request that a framework wraps is answered, with and without the length of its body", async () => {
  const server = testServer();
  const body = '{"id":"one"}';
  const created = { method: "POST", body: new Blob([body]).stream(), duplex: "half" } as RequestInit;
  expect((await server.fetch(proxied("/conversations", created))).status).toBe(201);
  const upload = await server.fetch(
    proxied("/conversations/one/uploads/a.txt", { method: "PUT", body: "x".repeat(300_000) }),
  );
  expect(await upload.json()).toMatchObject({ size: 300_000 });
  expect((await server.fetch(proxied("/conversations/one", {}))).status).toBe(200);
  const removed = { method: "DELETE", body: new Blob([]).stream(), duplex: "half" } as RequestInit;
  expect((await server.fetch(proxied("/conversations/one", removed))).status).toBe(204);
});
