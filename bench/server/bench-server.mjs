import { randomUUID } from "node:crypto";
import { createAdaptorServer } from "@hono/node-server";
import { built } from "../built.mjs";
import { scriptedModel } from "./scripted-model.mjs";

/**
 * A server on loopback whose model says these steps in each turn, by the number of its earlier answers in the turn.
 * @param {readonly { text?: string, command?: string }[]} steps
 */
export async function benchServer(steps, { isolation = "sandbox", delayMs = 0 } = {}) {
  const [{ agentServer }, { localRuntime }] = [await built("server"), await built("runtime-local")];
  const runtime = localRuntime({ isolation });
  const server = agentServer({
    agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
    dependencies: { models: () => scriptedModel(steps, delayMs) },
    app: `bench-${randomUUID()}`,
    runtime,
    authenticate: (request) => ({ id: request.headers.get("x-user") ?? "ada" }),
    limiter: false,
  });
  const http = createAdaptorServer({ fetch: (request) => server.fetch(request) });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (http.address());
  const origin = `http://127.0.0.1:${port}/v1`;
  /** @param {string} path @param {{ json?: unknown, user?: string | undefined, headers?: Record<string, string> }} [given] */
  const ask = (path, { json, user = "ada", headers = {} } = {}) =>
    fetch(`${origin}${path}`, {
      method: json === undefined ? "GET" : "POST",
      headers: {
        "x-user": user,
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
  return {
    ask,
    runtime,
    /** @param {string} [user] */
    conversation: async (user) => {
      const answer = await ask("/conversations", { json: {}, user });
      return /** @type {{ id: string }} */ (await answer.json()).id;
    },
    /** @param {string} id @param {string} [user] */
    say: (id, user) =>
      ask(`/conversations/${id}/turns`, {
        json: { message: { parts: [{ type: "text", text: "Go" }] } },
        user,
      }),
    close: async () => {
      await server.close();
      if ("closeAllConnections" in http) http.closeAllConnections();
      http.close();
      await runtime.close();
    },
  };
}
