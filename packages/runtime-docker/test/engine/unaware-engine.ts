import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { temporaryDirectory } from "./temporary-directory.js";

export interface UnawareEngine extends AsyncDisposable {
  readonly host: string;
  /**
   * Takes note of a container without commands. From the call of what it gives on, the next looks at the container and at its
   * processes are answered as an engine does that has killed a container's first process and has not heard of its end: it
   * runs, and has processes that are no command's.
   */
  remember(container: WorkspaceContainer): Promise<() => void>;
}

const STALE_ANSWERS = 3;

/** Stands before a real engine, in the same way as that is reached, and passes calls on. */
export async function unawareEngine(engineHost: string): Promise<UnawareEngine> {
  const directory = await temporaryDirectory();
  const { protocol, hostname, port, pathname } = new URL(engineHost);
  const isUnix = protocol === "unix:";
  const target = isUnix ? { socketPath: pathname } : { host: hostname, port: Number(port) };
  const sockets = new Set<Socket>();
  const stale: { of: RegExp; text: string; left: number }[] = [];

  const server = createServer((asked, response) => {
    const old = stale.find(({ of, left }) => left > 0 && of.test(asked.url ?? ""));
    if (!old) return passOn(asked, response);
    old.left -= 1;
    response.writeHead(200, { "Content-Type": "application/json" }).end(old.text);
  });
  server.on("connection", keep);
  server.on("upgrade", (asked: IncomingMessage, near: Socket, head: Buffer) => {
    const far = isUnix ? connect(pathname) : connect(Number(port), hostname);
    keep(far);
    const lines = asked.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    far.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    far.write(head);
    near.pipe(far).pipe(near);
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  }

  function passOn(asked: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = asked;
    const onward = request({ ...target, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    asked.pipe(onward);
  }

  async function remember({ container, engine }: WorkspaceContainer): Promise<() => void> {
    const state = await container.inspect();
    const list = await container.top({ ps_args: engine.isPodman ? "pid,user,group" : "-eo pid,ruid,rgid" });
    const [, ...others] = list.Processes as string[][];
    const of = (what: string) => new RegExp(`/containers/${container.id}/${what}`);
    const begin = (what: string, answer: unknown) =>
      stale.push({ of: of(what), text: JSON.stringify(answer), left: STALE_ANSWERS });
    return () => {
      begin("json", state);
      begin("top", { ...list, Processes: others });
    };
  }

  const at = isUnix ? join(directory.path, "s") : { host: "127.0.0.1", port: 0 };
  await new Promise<void>((resolve) => server.listen(at, resolve));
  const host = isUnix ? `unix://${at}` : `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    remember,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await directory[Symbol.asyncDispose]();
    },
  };
}
