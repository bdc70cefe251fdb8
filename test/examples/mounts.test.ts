import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../needs/has-all.js";
import { root } from "../repository/readers/packages.js";

const folder = `${root}/examples/mounts`;

if (hasAll("packages/server/dist", "bubblewrap"))
  test.each(["hono", "express", "fastify"])(
    "the agent's server answers in %s, beside the application",
    async (name) => {
      const child = spawn(process.execPath, [`${folder}/${name}.ts`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(child, "close");
      onTestFinished(async () => {
        child.kill();
        await ended;
      });
      const [line] = await once(child.stdout, "data");
      const [port, token] = String(line).trim().split(" ");
      const origin = `http://127.0.0.1:${port}`;
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(`${origin}${path}`, {
          ...init,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        });
      expect(await (await fetch(origin)).text()).toBe("the application's own page");
      expect((await fetch(`${origin}/v1/agents`)).status).toBe(401);
      expect((await ask("/v1/conversations", { method: "POST", body: '{"id":"one"}' })).status).toBe(201);
      const upload = await ask("/v1/conversations/one/uploads/a.bin", {
        method: "PUT",
        body: "x".repeat(300_000),
      });
      expect(await upload.json()).toMatchObject({ size: 300_000 });
      const body = JSON.stringify({ message: { parts: [{ type: "text", text: "What can you do?" }] } });
      const turn = await ask("/v1/conversations/one/turns", { method: "POST", body });
      expect(await turn.text()).toMatch(/^id: 0\ndata: \{"type":"start"[\s\S]*data: \[DONE\]\n\n$/);
      expect((await ask("/v1/conversations/one", { method: "DELETE" })).status).toBe(204);
    },
  );

if (hasAll("packages/server/dist"))
  test("the agent's server answers in a route of Next", async () => {
    const route = await import(`${folder}/next/app/v1/[...path]/route.ts`);
    const asked = (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string): Promise<Response> =>
      route[method](new Request(`http://localhost/v1${path}`, { method }));
    expect((await asked("GET", "/health")).status).toBe(200);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const)
      expect((await asked(method, "/conversations/one")).status).toBe(401);
  });
