import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../src/node/listen.js";
import { testServer } from "./test-server.js";

const REST = "\r\nHost: localhost\r\nAuthorization: Bearer ada\r\nConnection: close\r\n\r\n";

test.each([
  [
    "headers of more than 16 KiB",
    `GET /v1/health HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(17_000)}\r\n\r\n`,
    431,
  ],
  ["an address of more than 16 KiB", `GET /v1/${"x".repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ["what is no request", "hello\r\n\r\n", 400],
  ["an address with a user", `GET http://a:b@localhost/v1/health HTTP/1.1${REST}`, 400],
  ["an address with a user and a body", `POST http://a@localhost/v1/conversations HTTP/1.1${REST}`, 400],
  ["an address that is none", `GET http://[/v1/health HTTP/1.1${REST}`, 400],
  ["a header Host with a user", "GET /v1/health HTTP/1.1\r\nHost: a:b@x\r\nConnection: close\r\n\r\n", 400],
])("%s are answered with a problem, and the server goes on", async (_, sent, status) => {
  const listening = await listen(testServer(), { port: 0 });
  onTestFinished(() => listening.close());
  const { port } = new URL(listening.address);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(sent);
  let text = "";
  socket.on("data", (piece) => {
    text += piece;
  });
  await once(socket, "close");
  expect(text).toMatch(
    new RegExp(`^HTTP/1.1 ${status} [^]*application/problem\\+json[^]*"status":${status},`),
  );
  expect((await fetch(`${listening.address}/v1/health`)).status).toBe(200);
});
