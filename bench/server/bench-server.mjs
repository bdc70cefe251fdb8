import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { built } from "../built.mjs";
import { scriptedModel } from "./scripted-model.mjs";

/**
 * A server on loopback whose model says these steps in each turn, by the number of its earlier answers in the turn. Its
 * workspaces have a root of their own, which is removed with the process: a server looks for leftovers in its root.
 * @param {readonly { text?: string, command?: string, load?: string }[]} steps
 * @param {{ isolation?: string, delayMs?: number, more?: object, front?: (request: Request) => Response | undefined }} [options] `more` are
 * options of the server. What `front` answers does not reach it.
 */
export async function benchServer(steps, { isolation = "sandbox", delayMs = 0, more = {}, front } = {}) {
  const [{ agentServer }, { localRuntime }] = [await built("server"), await built("runtime-local")];
  const home = mkdtempSync(join(tmpdir(), "skillwright-bench-"));
  // Commands run as another user.
  chmodSync(home, 0o711);
  process.once("exit", () => rmSync(home, { recursive: true, force: true }));
  const runtime = localRuntime({ isolation, root: join(home, "workspaces") });
  const server = agentServer({
    agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
    dependencies: { models: () => scriptedModel(steps, delayMs) },
    app: `bench-${randomUUID()}`,
    runtime,
    authenticate: (request) => ({ id: request.headers.get("x-user") ?? "ada" }),
    limiter: false,
    ...more,
  });
  const http = createAdaptorServer({
    fetch: async (request) => front?.(request) ?? (await server.fetch(request)),
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (http.address());
  const origin = `http://127.0.0.1:${port}/v1`;
  /** @param {string} path @param {{ json?: unknown, user?: string | undefined, headers?: Record<string, string>, method?: string }} [given] */
  const ask = (path, { json, user = "ada", headers = {}, method } = {}) =>
    fetch(`${origin}${path}`, {
      method: method ?? (json === undefined ? "GET" : "POST"),
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
    address: `http://127.0.0.1:${port}/`,
    /** @param {string} [user] */
    conversation: async (user) => {
      const answer = await ask("/conversations", { json: {}, user });
      return /** @type {{ id: string }} */ (await answer.json()).id;
    },
    /** The address of a conversation's turns. @param {string} id */
    turns: (id) => `${origin}/conversations/${id}/turns`,
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
