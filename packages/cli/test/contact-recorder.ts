import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";

export interface ContactRecorder {
  /** `http://127.0.0.1:<port>`: every request is recorded and answered with 404. */
  readonly address: string;
  /** An environment with a `git` that records its calls, and this server as the server of every bucket. */
  readonly env: Readonly<Record<string, string>>;
  /** The requests with their authorization, and the calls of git, so far. */
  contacts(): Promise<readonly string[]>;
}

/** Starts an HTTP and S3 listener and a git program that record every contact. */
export async function contactRecorder(): Promise<ContactRecorder> {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-contact-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  const calls = join(folder, "git-calls");
  await mkdir(bin);
  await writeFile(calls, "");
  await writeFile(join(bin, "git"), `#!/bin/sh\necho "git $*" >> '${calls}'\nexit 1\n`);
  await chmod(join(bin, "git"), 0o755);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = `${bin}:${process.env["PATH"]}`;
  // git is searched in the PATH of this process.
  vi.stubEnv("PATH", path);
  onTestFinished(() => void vi.unstubAllEnvs());
  return {
    address,
    env: {
      PATH: path,
      AWS_ENDPOINT_URL_S3: address,
      AWS_ACCESS_KEY_ID: "key-of-the-user",
      AWS_SECRET_ACCESS_KEY: "secret-of-the-user",
    },
    contacts: async () => [...requests, ...(await readFile(calls, "utf8")).split("\n").filter(Boolean)],
  };
}
