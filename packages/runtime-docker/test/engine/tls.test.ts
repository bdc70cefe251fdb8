import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { connectEngine } from "../../src/engine/connect-engine.js";
import { temporaryDirectory } from "./temporary-directory.js";

const run = promisify(execFile);

test("an engine that requires certificates is reached with them, and its own is verified", async () => {
  const { host, file } = await fakeSecuredEngine();
  const tls = { ca: file("ca.pem"), cert: file("client.pem"), key: file("client.key") };
  const engine = await connectEngine({ engine: { host, tls }, callTimeoutMs: 20_000 });
  expect(engine).toMatchObject({ product: "docker 25.0.0", isRemote: true });
  engine.close();
});

test("without the right certificates the error says which files to check, and why", async () => {
  const { host, file } = await fakeSecuredEngine();
  const tried = [
    { ca: file("ca.pem") },
    { ca: file("client.pem"), cert: file("client.pem"), key: file("client.key") },
    {},
  ];
  for (const tls of tried)
    await expect(connectEngine({ engine: { host, tls }, callTimeoutMs: 20_000 })).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringMatching(/no TLS connection to tcp:.*TLS files.*DOCKER_CERT_PATH/),
    });
});

/** Answers only queries about itself, for clients with a certificate of its authority. */
async function fakeSecuredEngine(): Promise<{ host: string; file: (name: string) => string }> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const file = (name: string) => join(directory.path, name);
  await makeCertificates(directory.path);
  const [ca, cert, key] = await Promise.all(
    ["ca.pem", "server.pem", "server.key"].map((name) => readFile(file(name))),
  );
  const server = createServer(
    { ca, cert, key, requestCert: true, rejectUnauthorized: true },
    (_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(
        JSON.stringify({ Version: "25.0.0", Components: [{ Name: "Engine", Version: "25.0.0" }] }),
      );
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `tcp://127.0.0.1:${(server.address() as { port: number }).port}`, file };
}

async function makeCertificates(cwd: string): Promise<void> {
  const openssl = (...args: string[]) => run("openssl", args, { cwd });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=test authority",
    "-days",
    "2",
  );
  await writeFile(join(cwd, "server.ext"), "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n");
  await writeFile(join(cwd, "client.ext"), "extendedKeyUsage=clientAuth\n");
  for (const name of ["server", "client"]) {
    await openssl("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    const by = [
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-days",
      "2",
      "-extfile",
      `${name}.ext`,
    ];
    await openssl("x509", "-req", "-in", `${name}.csr`, "-out", `${name}.pem`, ...by);
  }
}
