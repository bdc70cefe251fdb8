import { once } from "node:events";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentServer } from "../src/index.js";
import { listen, nodeHandler } from "../src/node.js";
import { newConversation, testServer } from "./test-server.js";

const KIB = 1024;

async function listening(server: AgentServer): Promise<number> {
  const { address, close } = await listen(server, { port: 0 });
  onTestFinished(() => close());
  return Number(new URL(address).port);
}

/** Sends the head, then the body as far as the server reads it. Returns what the server answered until it closed the connection. */
async function exchange(port: number, head: string, body: readonly Uint8Array[] = []) {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  const errors: string[] = [];
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  socket.on("error", ({ message }) => errors.push(message));
  const ended = once(socket, "end");
  const closed = once(socket, "close");
  socket.write(head);
  for (const piece of body) if (!socket.write(piece)) await Promise.race([once(socket, "drain"), closed]);
  await Promise.race([ended, closed]);
  socket.end();
  await closed;
  return { answer, errors };
}

const head = (method: string, path: string, more: string, user = "ada") =>
  `${method} /v1${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${user}\r\n${more}\r\n\r\n`;

const pieces = (bytes: number) => Array.from({ length: bytes / (64 * KIB) }, () => new Uint8Array(64 * KIB));

describe("SERVE-78: an answer that refuses a request before its body has arrived announces the end of the connection and arrives completely", () => {
  const long = "content-type: application/json\r\ncontent-length: 8388608";
  const chunked = "content-type: application/json\r\ntransfer-encoding: chunked";
  const chunk = (bytes: number) => [
    ...pieces(bytes).flatMap((piece) => [Buffer.from("10000\r\n"), piece, Buffer.from("\r\n")]),
    Buffer.from("0\r\n\r\n"),
  ];
  const body = pieces(8 * KIB * KIB);
  const uploads = "/conversations/ID/uploads/a";
  test.each([
    ["a body that announces too much", "POST", "/conversations", long, body, "ada", 413],
    ["a body that grows too large", "POST", "/conversations", chunked, chunk(8 * KIB * KIB), "ada", 413],
    ["an upload above the limit", "PUT", uploads, long, body, "ada", 413],
    ["an upload of nobody", "PUT", uploads, long, body, "nobody", 401],
    ["an upload into no conversation", "PUT", "/conversations/none/uploads/a", long, body, "ada", 404],
    ["a body of which nothing comes", "POST", "/conversations", long, [], "ada", 413],
  ])("%s", async (_, method, path, more, sent, user, status) => {
    const server = testServer({ maxUploadBytes: 4 * KIB * KIB });
    const port = await listening(server);
    const id = await newConversation(server);
    const { answer, errors } = await exchange(port, head(method, path.replace("ID", id), more, user), sent);
    expect(errors).toEqual([]);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toMatch(new RegExp(`"status":${status},[^]*\\}$`));
  });
});

test("the connection stays open if the refused request had arrived completely", async () => {
  const port = await listening(testServer());
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  socket.write(`${head("POST", "/conversations", "content-type: application/json\r\ncontent-length: 1")}{`);
  while (!answer.endsWith("}")) await once(socket, "data");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toMatch(/connection: close/i);
  answer = "";
  socket.write(head("GET", "/agents", "accept: */*"));
  while (!answer.includes("]")) await once(socket, "data");
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test("SERVE-78: a refusal over HTTP/2, which has no header `connection`, arrives too", async () => {
  const handle = nodeHandler(testServer()) as unknown as () => void;
  const http = createHttp2Server(handle).listen(0, "127.0.0.1");
  await once(http, "listening");
  const session = connectHttp2(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  onTestFinished(() => {
    session.destroy();
    http.close();
  });
  const stream = session.request({
    ":method": "POST",
    ":path": "/v1/conversations",
    authorization: "Bearer nobody",
  });
  stream.on("error", () => undefined);
  stream.write(new Uint8Array(KIB));
  const [headers] = await once(stream, "response");
  expect(headers).toMatchObject({ ":status": 401 });
});
