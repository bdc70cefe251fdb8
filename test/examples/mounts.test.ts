import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { useMountedServer } from "../../scripts/mounts/use-mounted-server.mjs";
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
      await expect(useMountedServer(`http://127.0.0.1:${port}`, token ?? "")).resolves.toBeUndefined();
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
