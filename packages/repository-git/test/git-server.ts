import { execFileSync, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A server of Git over HTTP: `git http-backend` behind Node's server, which requires a password. */
export interface GitServer {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** The answers sent so far, as `<status> <method> <path>`. */
  readonly answers: readonly string[];
  /** Cuts every further pack in its middle. */
  cutPacks(isCut: boolean): void;
  close(): Promise<void>;
}

export async function gitServer(projects: string, credentials: string): Promise<GitServer> {
  const answers: string[] = [];
  let isCutting = false;
  const wanted = `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    response.on("finish", () => answers.push(`${response.statusCode} ${request.method} ${pathname}`));
    if (request.headers.authorization === wanted)
      serve({ projects, isCut: isCutting && request.method === "POST" }, request, response);
    else response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const cutPacks = (isCut: boolean): void => {
    isCutting = isCut;
  };
  return { host: `127.0.0.1:${port}`, answers, cutPacks, close };
}

function backend(): string {
  return join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
}

/** Header format of CGI. */
function serve(
  { projects, isCut }: { projects: string; isCut: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const env = {
    PATH: process.env["PATH"],
    GIT_PROJECT_ROOT: projects,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers["content-type"],
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
    REMOTE_USER: "ada",
  };
  const child = spawn(backend(), { env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  child.on("close", () => {
    const whole = Buffer.concat(pieces);
    const end = whole.indexOf("\r\n\r\n");
    for (const line of whole.subarray(0, end).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name === "Status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    const body = whole.subarray(end + 4);
    if (!isCut || !body.includes("PACK")) response.end(body);
    else response.write(body.subarray(0, body.indexOf("PACK") + 100), () => response.destroy());
  });
}
