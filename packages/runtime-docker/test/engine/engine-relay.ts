import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.js";

export interface EngineRelay extends AsyncDisposable {
  readonly host: string;
  /**
   * Keeps the streams of commands that are open now, and passes nothing more on from the engine, also when it ends them:
   * for ever, or until the client sends something.
   */
  keepStreams(until?: "for ever" | "until used"): void;
}

export interface RelayedCall {
  readonly method: string;
  /** Including its query. */
  readonly path: string;
  /** The body of a call with JSON; otherwise empty. */
  readonly text: string;
}

/**
 * Answers the call instead of the engine, forwards another text, calls `carriedOut` instead of passing the engine's answer
 * on, or leaves the call unchanged.
 */
export type Meddle = (
  call: RelayedCall,
) =>
  | { readonly status: number; readonly answer: unknown }
  | { readonly text: string }
  | { readonly carriedOut: () => void }
  | undefined;

/** Forwards calls to a real engine, is reached in the same way, and changes what `meddle` changes. */
export async function engineRelay(engineHost: string, meddle: Meddle): Promise<EngineRelay> {
  const directory = await temporaryDirectory();
  const { protocol, hostname, port, pathname } = new URL(engineHost);
  const isUnix = protocol === "unix:";
  const target = isUnix ? { socketPath: pathname } : { host: hostname, port: Number(port) };
  const sockets = new Set<Socket>();
  const streams = new Map<Socket, Socket>();

  const server = createServer(async (asked, response) => {
    const { method = "", url: path = "" } = asked;
    const isJson = /json/.test(asked.headers["content-type"] ?? "");
    const text = isJson ? await textOf(asked) : "";
    const meddled = meddle({ method, path, text });
    if (!meddled || !("answer" in meddled)) {
      const other = meddled && "text" in meddled ? meddled.text : text;
      const carriedOut = meddled && "carriedOut" in meddled ? meddled.carriedOut : undefined;
      return passOn(asked, response, { text: isJson ? other : undefined, carriedOut });
    }
    response.writeHead(meddled.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(meddled.answer));
  });
  server.on("connection", keep);
  server.on("upgrade", (asked: IncomingMessage, near: Socket, head: Buffer) => {
    const far = isUnix ? connect(pathname) : connect(Number(port), hostname);
    keep(far);
    const lines = asked.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    far.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    far.write(head);
    near.pipe(far).pipe(near);
    streams.set(far, near);
    far.once("close", () => streams.delete(far));
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  }

  function passOn(
    asked: IncomingMessage,
    response: ServerResponse,
    { text, carriedOut }: { text: string | undefined; carriedOut: (() => void) | undefined },
  ): void {
    const { method, url: path } = asked;
    const headers = { ...asked.headers };
    if (text !== undefined) headers["content-length"] = `${Buffer.byteLength(text)}`;
    const onward = request({ ...target, method, path, headers }, (answer) => {
      if (carriedOut) {
        answer.resume().once("end", carriedOut);
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    if (text === undefined) asked.pipe(onward);
    else onward.end(text);
  }

  const at = isUnix ? join(directory.path, "s") : { host: "127.0.0.1", port: 0 };
  await new Promise<void>((resolve) => server.listen(at, resolve));
  return {
    host: isUnix ? `unix://${at}` : `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keepStreams: (until = "for ever") => {
      for (const [far, near] of streams) {
        far.unpipe(near).resume();
        if (until === "until used")
          near
            .unpipe(far)
            .once("data", () => near.destroy())
            .resume();
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function textOf(asked: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of asked) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
