import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.js";

export interface FakeEngine extends AsyncDisposable {
  readonly host: string;
  /** Method and path of every request so far. */
  readonly asked: readonly string[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A fake engine with behaviour that a real one cannot be made to show: it hangs, breaks off or answers with any status.
 */
export async function startFakeEngine(answer: Answer): Promise<FakeEngine> {
  const directory = await temporaryDirectory();
  const path = join(directory.path, "s");
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    host: `unix://${path}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Answers with a status and a message in the form of engines. */
export function answering(status: number, message: string): Answer {
  return (_, response) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ message }));
  };
}

/** Answers queries about itself, and leaves all others to the other answer. */
export function knowingItself(otherwise: Answer): Answer {
  return (request, response) => {
    if (!request.url?.includes("/version")) return otherwise(request, response);
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({ Version: "20.10.24", Components: [{ Name: "Engine", Version: "20.10.24" }] }),
    );
  };
}
