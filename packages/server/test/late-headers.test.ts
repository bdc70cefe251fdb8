import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { httpServer } from "../src/node/http-server.js";
import { testServer } from "./test-server.js";

test("SERVE-79: Node allows 15 s for headers, and looks for late headers every second", () => {
  const { headersTimeout, requestTimeout, timeout, ...http } = httpServer(testServer());
  expect({ headersTimeout, requestTimeout, timeout }).toEqual({
    ...{ headersTimeout: 15_000, requestTimeout: 0, timeout: 60_000 },
  });
  expect(http).toMatchObject({ connectionsCheckingInterval: 1000 });
});

test("SERVE-79: a connection whose headers are late is answered with 408 and closed", async () => {
  const http = httpServer(testServer());
  Object.assign(http, { headersTimeout: 20, connectionsCheckingInterval: 10 });
  http.listen(0, "127.0.0.1");
  onTestFinished(() => void http.close());
  await once(http, "listening");
  const socket = connect((http.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  socket.write("GET /v1/health HTTP/1.1\r\nHost: localhost\r\n");
  await once(socket, "close");
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*"code":"TOO_SLOW"/i);
});
