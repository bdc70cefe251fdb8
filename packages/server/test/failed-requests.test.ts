import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AgentServerOptions, FailedRequest } from "../src/index.js";
import { ask, testServer } from "./test-server.js";

const failing = (error: unknown) => async () => {
  throw error;
};

/** A server that fails with this error in place of finding the user, and whom it told. */
function failingServer(error: unknown) {
  const told: { error: unknown; request: FailedRequest }[] = [];
  const onError: AgentServerOptions["onError"] = (error, request) =>
    void told.push({ error, request: request as FailedRequest });
  return { server: testServer({ authenticate: failing(error), onError }), told };
}

test("SERVE-69: onError gets the cause of a 500, and the answer has the same requestId and nothing of the cause", async () => {
  const error = new TypeError("the secret plan is undefined");
  const { server, told } = failingServer(error);
  const answer = await ask(server, "/conversations?title=secret");
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).not.toContain("secret");
  const { requestId } = JSON.parse(text);
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(told).toEqual([{ error, request: { requestId, method: "GET", path: "/v1/conversations" } }]);
  const again = (await (await ask(server, "/conversations")).json()) as { requestId: string };
  expect(again.requestId).not.toBe(requestId);
});

test("onError hears of a store that fails, and not of what the client did or of a client that has gone", async () => {
  const failed = failingServer(new SkillError("BACKEND_FAILED", "The store cannot be reached."));
  const answer = await ask(failed.server, "/agents");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ requestId: failed.told[0]?.request.requestId });
  for (const code of ["INPUT_INVALID", "REFUSED", "ABORTED", "CLOSED"] as const) {
    const { server, told } = failingServer(new SkillError(code, "It is so."));
    expect(await (await ask(server, "/agents")).json()).not.toHaveProperty("requestId");
    expect(told).toEqual([]);
  }
});

test("a request is answered also where onError throws or rejects", async () => {
  for (const onError of [failing(new Error("no log")), () => expect.fail("no log")]) {
    const server = testServer({ authenticate: failing(new Error("broken")), onError });
    expect((await ask(server, "/agents")).status).toBe(500);
  }
});

test("SERVE-70: without onError a line on standard error names the request, the error, its causes and its place, but no credentials", async () => {
  const printed = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const cause = new Error("connect ECONNREFUSED redis://ada:pass%40word@cache:6379, sent Bearer abc.def");
  const server = testServer({ authenticate: failing(new Error("two\n\u001b[31mlines", { cause })) });
  const { requestId } = (await (await ask(server, "/agents?token=abc")).json()) as { requestId: string };
  expect(printed.mock.calls).toEqual([[expect.any(String)]]);
  const line = printed.mock.calls[0]?.[0];
  expect(line).toMatch(
    /^GET \/v1\/agents failed \(request \S+\): Error: two \\u\{1b\}\[31mlines \(at .*failed-requests\.test\.ts:\d+:\d+\)?: Error: connect ECONNREFUSED redis:\/\/\*\*\*@cache:6379, sent Bearer \*\*\*/,
  );
  expect(line).toContain(requestId);
  expect(line).not.toMatch(/\n|pass|abc/);
});
