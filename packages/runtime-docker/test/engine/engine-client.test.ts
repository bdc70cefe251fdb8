import { createServer } from "node:net";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { connectEngine } from "../../src/engine/connect-engine.js";
import { engineError } from "../../src/engine/engine-error.js";
import { answering, knowingItself, startFakeEngine } from "./fake-engine.js";
import { temporaryDirectory } from "./temporary-directory.js";

const TIMEOUT_MS = 300;

const failure = async (work: Promise<unknown>): Promise<SkillError> =>
  await work.then(
    () => expect.fail("It did not fail."),
    (error: unknown) => (SkillError.is(error) ? error : expect.fail(`No SkillError: ${String(error)}`)),
  );

test("a missing engine is ISOLATION_UNAVAILABLE, with what to start or set", async () => {
  await using directory = await temporaryDirectory();
  const host = `unix://${join(directory.path, "none")}`;
  const error = await failure(connectEngine({ engine: { host }, callTimeoutMs: TIMEOUT_MS }));
  expect(error.code).toBe("ISOLATION_UNAVAILABLE");
  expect(error.message).toMatch(
    /no container engine was found at unix:.*Start Docker or Podman.*DOCKER_HOST/,
  );
});

test("a closed port gives the same", async () => {
  const error = await failure(
    connectEngine({ engine: { host: "tcp://127.0.0.1:1" }, callTimeoutMs: TIMEOUT_MS }),
  );
  expect(error).toMatchObject({ code: "ISOLATION_UNAVAILABLE", details: { host: "tcp://127.0.0.1:1" } });
});

test("DOCK-04: an engine that accepts connections and never answers is given up at the deadline", async () => {
  await using engine = await startFakeEngine(() => undefined);
  const error = await failure(connectEngine({ engine: { host: engine.host }, callTimeoutMs: TIMEOUT_MS }));
  expect(error).toMatchObject({ code: "BACKEND_FAILED", details: { timeoutMs: TIMEOUT_MS } });
  expect(error.message).toMatch(/did not respond within 300 ms.*callTimeoutMs/);
});

test("DOCK-04: a socket that is not an engine's and stays silent is given up too", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "s");
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    const error = await failure(
      connectEngine({ engine: { host: `unix://${path}` }, callTimeoutMs: TIMEOUT_MS }),
    );
    expect(error).toMatchObject({ code: "BACKEND_FAILED", details: { timeoutMs: TIMEOUT_MS } });
  } finally {
    server.close();
  }
});

test("a signal ends a call at once with ABORTED, whatever the engine does", async () => {
  await using engine = await startFakeEngine(knowingItself(() => undefined));
  const client = await connectEngine({ engine: { host: engine.host }, callTimeoutMs: 20_000 });
  const ending = new AbortController();
  const call = client.call("Listing", (abortSignal) => client.docker.listContainers({ abortSignal }), {
    signal: ending.signal,
  });
  ending.abort();
  expect((await failure(call)).code).toBe("ABORTED");
  client.close();
});

test.each([
  [400, "invalid mount config", /rejected the request as invalid \(invalid mount config\).*options/],
  [403, "authorization denied by plugin", /refused the call \(authorization denied by plugin\)/],
  [404, "No such container: x", /did not find it \(No such container: x\)/],
  [409, "Container x is paused", /cannot do that now \(Container x is paused\)/],
  [500, "something inside", /responded with something inside/],
  [
    500,
    "write /a: no space left on device",
    /disk of the engine.*is full.*docker system prune.*storageBytes/,
  ],
])(
  "an answer of %i is BACKEND_FAILED with the status, the engine's message and the remedy",
  async (status, words, message) => {
    await using engine = await startFakeEngine(knowingItself(answering(status, words)));
    const client = await connectEngine({ engine: { host: engine.host }, callTimeoutMs: 20_000 });
    const error = await failure(
      client.call("Starting a container", () => client.docker.getContainer("x").start()),
    );
    expect(error).toMatchObject({
      code: "BACKEND_FAILED",
      details: { statusCode: status, host: engine.host },
    });
    expect(error.message).toMatch(/^Starting a container failed: /);
    expect(error.message).toMatch(message);
    client.close();
  },
);

test("a broken connection reports that the request may have been carried out, and nothing is requested twice", async () => {
  await using engine = await startFakeEngine(knowingItself((request) => request.socket.destroy()));
  const client = await connectEngine({ engine: { host: engine.host }, callTimeoutMs: 20_000 });
  const error = await failure(
    client.call("Starting a container", () => client.docker.getContainer("x").start()),
  );
  expect(error.code).toBe("BACKEND_FAILED");
  expect(error.message).toMatch(/during the call.*restarted.*may or may not have taken effect/);
  expect(engine.asked.filter((line) => line.includes("/start"))).toHaveLength(1);
  client.close();
});

test("an engine's product is reported without distribution suffixes, and Podman by its name", async () => {
  await using docker = await startFakeEngine(knowingItself(() => undefined));
  const one = await connectEngine({ engine: { host: docker.host }, callTimeoutMs: 20_000 });
  expect(one).toMatchObject({ product: "docker 20.10.24", isPodman: false, host: docker.host });
  one.close();
  await using podman = await startFakeEngine((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({ Version: "4.3.1", Components: [{ Name: "Podman Engine", Version: "4.3.1" }] }),
    );
  });
  const other = await connectEngine({ engine: { host: podman.host }, callTimeoutMs: 20_000 });
  expect(other).toMatchObject({ product: "podman 4.3.1", isPodman: true });
  other.close();
});

test("an address from the environment is never mixed with a configured one", async () => {
  await using engine = await startFakeEngine(knowingItself(() => undefined));
  const before = process.env["DOCKER_HOST"];
  process.env["DOCKER_HOST"] = "tcp://127.0.0.1:1";
  try {
    const client = await connectEngine({ engine: { host: engine.host }, callTimeoutMs: 20_000 });
    expect(client.host).toBe(engine.host);
    client.close();
  } finally {
    if (before === undefined) delete process.env["DOCKER_HOST"];
    else process.env["DOCKER_HOST"] = before;
  }
});

test("unreadable TLS files, and plain HTTP where TLS is expected, are reported with the option to check", async () => {
  const missing = { host: "tcp://127.0.0.1:1", tls: { ca: "/nowhere/ca.pem" } };
  const unread = await failure(connectEngine({ engine: missing, callTimeoutMs: TIMEOUT_MS }));
  expect(unread).toMatchObject({ code: "CONFIG_INVALID", details: { path: "/nowhere/ca.pem" } });
  const server = createServer((socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    const plain = await failure(
      connectEngine({ engine: { host: `tcp://127.0.0.1:${port}`, tls: {} }, callTimeoutMs: 20_000 }),
    );
    expect(plain.message).toMatch(/no TLS connection.*TLS files|DOCKER_CERT_PATH/);
  } finally {
    server.close();
  }
});

test("a socket that this user may not use is reported with the group to join", () => {
  const denied = Object.assign(new Error("connect EACCES /var/run/docker.sock"), { code: "EACCES" });
  const error = engineError(denied, "Asking the engine for its version", "unix:///var/run/docker.sock");
  expect(error).toMatchObject({ code: "BACKEND_FAILED", cause: denied });
  expect(error.message).toMatch(
    /has no access to.*unix:\/\/\/var\/run\/docker.sock.*group that owns the socket/,
  );
});

test.each([
  ["no such container", 404],
  ["container state improper", 409],
  ["something else", 500],
])("Podman's 500 with the reason %j counts as Docker's %i", (cause, status) => {
  const answered = Object.assign(new Error("x"), { statusCode: 500, json: { cause, message: "x" } });
  expect(engineError(answered, "Looking", "h").details["statusCode"]).toBe(status);
});
