import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ServerLog } from "../src/index.js";
import { ask, keptLog, testServer } from "./test-server.js";

const failing = (error: unknown) => async () => {
  throw error;
};

/** Creates a server whose `authenticate` throws this error. `errors` returns the errors in the log of the server. */
function failingServer(error: unknown) {
  const { log, entries } = keptLog();
  return { server: testServer({ authenticate: failing(error), log }), errors: () => entries("error") };
}

test("SERVE-69: the log gets the cause of a 500, and the answer has the same requestId and nothing of the cause", async () => {
  const error = new TypeError("the secret plan is undefined");
  const { server, errors } = failingServer(error);
  const answer = await ask(server, "/conversations?title=secret");
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).not.toContain("secret");
  const { requestId } = JSON.parse(text);
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get("x-request-id")).toBe(requestId);
  const request = { requestId, method: "GET", route: "/v1/conversations" };
  expect(errors()).toMatchObject([
    { message: "GET /v1/conversations failed", fields: { ...request, err: error } },
  ]);
  const again = (await (await ask(server, "/conversations")).json()) as { requestId: string };
  expect(again.requestId).not.toBe(requestId);
});

test("the log has the failure of a store, and no error for what the client did or a client that has gone", async () => {
  const failed = failingServer(new SkillError("BACKEND_FAILED", "The store cannot be reached."));
  const answer = await ask(failed.server, "/agents");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ requestId: failed.errors()[0]?.fields["requestId"] });
  for (const code of ["INPUT_INVALID", "REFUSED", "ABORTED", "CLOSED"] as const) {
    const { server, errors } = failingServer(new SkillError(code, "It is so."));
    expect(await (await ask(server, "/agents")).json()).not.toHaveProperty("requestId");
    expect(errors()).toEqual([]);
  }
});

test("a request is answered also where the log throws or rejects", async () => {
  for (const entry of [failing(new Error("no log")), () => expect.fail("no log")]) {
    const log: ServerLog = { debug: entry, info: entry, warn: entry, error: entry };
    const server = testServer({ authenticate: failing(new Error("broken")), log });
    expect((await ask(server, "/agents")).status).toBe(500);
  }
});

test("SERVE-70: a server without a log prints a line on standard error that names the request, the error, its causes and its place, but no credentials", async () => {
  const printed = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const cause = new Error("connect ECONNREFUSED redis://ada:pass%40word@cache:6379, sent Bearer wxyz.def");
  const server = testServer({ authenticate: failing(new Error("two\n\u001b[31mlines", { cause })) });
  const { requestId } = (await (await ask(server, "/agents?token=wxyz")).json()) as { requestId: string };
  expect(printed.mock.calls).toEqual([[expect.any(String)]]);
  const line = printed.mock.calls[0]?.[0];
  expect(line).toMatch(
    /^GET \/v1\/agents failed \(requestId=\S+\): Error: two \\u\{1b\}\[31mlines \(at .*failed-requests\.test\.ts:\d+:\d+\)?: Error: connect ECONNREFUSED redis:\/\/\*\*\*@cache:6379, sent Bearer \*\*\*/,
  );
  expect(line).toContain(requestId);
  expect(line).not.toMatch(/\n|pass|wxyz/);
});
