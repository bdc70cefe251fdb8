import { RateLimiterMemory } from "rate-limiter-flexible";
import { expect, test } from "vitest";
import { ask, testServer } from "./test-server.js";

test("SERVE-34: a user who asks too often is told how long to wait, and others are not concerned", async () => {
  const server = testServer({ limiter: new RateLimiterMemory({ points: 3, duration: 600 }) });
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++) statuses.push((await ask(server, "/agents")).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await ask(server, "/agents");
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(600);
  expect(await refused.json()).toMatchObject({
    status: 429,
    code: "TOO_MANY_REQUESTS",
    remedy: expect.stringContaining("Wait"),
  });
  expect((await ask(server, "/agents", { user: "bob" })).status).toBe(200);
  expect((await ask(server, "/health")).status).toBe(200);
});

test("users have 1,200 requests a minute by default", async () => {
  const server = testServer();
  const all = await Promise.all(
    Array.from({ length: 1201 }, async () => (await ask(server, "/agents")).status),
  );
  expect(all.filter((status) => status === 429)).toHaveLength(1);
});

test("a limiter that fails is a failure of the server", async () => {
  const limiter = { consume: () => Promise.reject(new Error("Redis is away")) };
  const failed = await ask(testServer({ limiter }), "/agents");
  expect([failed.status, await failed.json()]).toMatchObject([503, { code: "BACKEND_FAILED" }]);
});

test("without a limiter nobody waits", async () => {
  const server = testServer({ limiter: false });
  const all = await Promise.all(
    Array.from({ length: 1300 }, async () => (await ask(server, "/agents")).status),
  );
  expect(new Set(all)).toEqual(new Set([200]));
});
