import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../src/node.js";
import { ask, testServer } from "./test-server.js";

test("SERVE-63: a body that does not arrive in time is answered with 408, and one that is slow is taken", async () => {
  const server = testServer({ limiter: false });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { answer, send } = await asked(server, "first");
  await vi.advanceTimersByTimeAsync(29_999);
  send("}");
  expect((await answer).status).toBe(201);
  const held = await asked(server, "second");
  await vi.advanceTimersByTimeAsync(30_000);
  const refused = await held.answer;
  expect([refused.status, await refused.json()]).toEqual([
    408,
    expect.objectContaining({ code: "TOO_SLOW", detail: expect.stringContaining("30 s") }),
  ]);
  expect((await ask(server, "/conversations/second")).status).toBe(404);
});

test("SERVE-63: the connection of a slow client is closed after its 408", async () => {
  const server = testServer({ limiter: false });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { address, close } = await listen(server, { port: 0 });
  onTestFinished(() => close());
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  const ended = once(socket, "close");
  socket.write(
    "POST /v1/conversations HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ada\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{",
  );
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(30_000);
  await ended;
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close/i);
});

/** A request to create the conversation, whose body is held back at its last character. */
async function asked(server: ReturnType<typeof testServer>, id: string) {
  let send: (text: string) => void = () => undefined;
  let pulled: () => void = () => undefined;
  const isRead = new Promise<void>((resolve) => {
    pulled = resolve;
  });
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(JSON.stringify({ id }).slice(0, -1)));
      send = (text) => {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      };
    },
    pull: () => pulled(),
  });
  const headers = { "content-type": "application/json" };
  const answer = ask(server, "/conversations", { method: "POST", body, headers });
  await isRead;
  // The wait has begun.
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  return { answer, send: (text: string) => send(text) };
}
