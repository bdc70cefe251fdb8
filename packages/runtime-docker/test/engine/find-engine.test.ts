import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { enginePlace } from "../../src/engine/engine-address.js";
import { findEngine } from "../../src/engine/find-engine.js";
import { temporaryDirectory } from "./temporary-directory.js";

const nowhere = { env: {}, home: "/nowhere", platform: "linux" as const };

test("an explicit address takes precedence over everything", async () => {
  const around = { ...nowhere, env: { DOCKER_HOST: "tcp://a:1" } };
  expect(await findEngine({ host: "unix:///told" }, around)).toEqual({ host: "unix:///told" });
});

test("DOCKER_HOST takes precedence over a context, with TLS files only where they are to be verified", async () => {
  const env = { DOCKER_HOST: "tcp://a:2376", DOCKER_CONTEXT: "other" };
  expect(await findEngine(undefined, { ...nowhere, env })).toEqual({ host: "tcp://a:2376" });
  const secured = { ...env, DOCKER_TLS_VERIFY: "1" };
  expect(await findEngine(undefined, { ...nowhere, env: secured })).toEqual({
    host: "tcp://a:2376",
    tls: {
      ca: "/nowhere/.docker/ca.pem",
      cert: "/nowhere/.docker/cert.pem",
      key: "/nowhere/.docker/key.pem",
    },
  });
  const elsewhere = { ...secured, DOCKER_CERT_PATH: "/certs" };
  expect((await findEngine(undefined, { ...nowhere, env: elsewhere })).tls?.ca).toBe("/certs/ca.pem");
});

test("the Docker CLI's current context is used, with its TLS files", async () => {
  await using home = await temporaryDirectory();
  const docker = join(home.path, ".docker");
  const hash = createHash("sha256").update("remote").digest("hex");
  const put = async (path: string, content: string) => {
    await mkdir(dirname(join(docker, path)), { recursive: true });
    await writeFile(join(docker, path), content);
  };
  await put("config.json", JSON.stringify({ currentContext: "remote" }));
  const meta = { Name: "remote", Endpoints: { docker: { Host: "tcp://far:2376" } } };
  await put(`contexts/meta/${hash}/meta.json`, JSON.stringify(meta));
  await put(`contexts/tls/${hash}/docker/ca.pem`, "x");
  const around = { ...nowhere, home: home.path };
  const tls = { ca: join(docker, `contexts/tls/${hash}/docker/ca.pem`) };
  expect(await findEngine(undefined, around)).toEqual({ host: "tcp://far:2376", tls });
  await expect(findEngine(undefined, { ...around, env: { DOCKER_CONTEXT: "gone" } })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/context "gone".*docker context use/),
  });
});

test("without any setting, the first standard socket that exists is used, including Podman's", async () => {
  await using run = await temporaryDirectory();
  const servers: Server[] = [];
  const listen = async (path: string) => {
    await mkdir(dirname(path), { recursive: true });
    servers.push(createServer().listen(path));
    await new Promise((resolve) => servers.at(-1)?.once("listening", resolve));
  };
  const around = { ...nowhere, env: { XDG_RUNTIME_DIR: run.path, DOCKER_CONTEXT: "default" } };
  const standard = await findEngine(undefined, nowhere);
  expect(standard.host).toMatch(/^unix:\/\/\/(var\/run\/docker|run\/podman\/podman)\.sock$/);
  try {
    await listen(join(run.path, "podman/podman.sock"));
    // A machine may have an engine at the standard location, which comes first.
    const expected = [standard.host, `unix://${run.path}/podman/podman.sock`];
    expect(expected).toContain((await findEngine(undefined, around)).host);
  } finally {
    for (const server of servers) server.close();
  }
});

test.each([
  ["unix:///a/b.sock", { kind: "socket", path: "/a/b.sock" }],
  ["npipe:////./pipe/docker_engine", { kind: "socket", path: "//./pipe/docker_engine" }],
  ["tcp://a", { kind: "tcp", name: "a", port: 2375 }],
  ["a:4000", { kind: "tcp", name: "a", port: 4000 }],
  ["http://[::1]:2375", { kind: "tcp", name: "::1", port: 2375 }],
  ["https://a", { kind: "tcp", name: "a", port: 2376, tls: {} }],
  ["ssh://me@a:23", { kind: "ssh", target: "me@a", port: "23", socket: "/var/run/docker.sock" }],
  ["ssh://a/run/podman/podman.sock", { kind: "ssh", target: "a", socket: "/run/podman/podman.sock" }],
])("%s is accepted", (host, place) => {
  expect(enginePlace({ host })).toMatchObject(place);
});

test.each(["", "unix://", "ftp://a", "ssh://", "tcp://", "ssh://-oProxyCommand=x/"])(
  "%j is refused",
  (host) => {
    expect(() => enginePlace({ host })).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
  },
);
