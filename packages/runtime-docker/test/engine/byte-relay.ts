import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.js";

export interface ByteRelay extends AsyncDisposable {
  readonly host: string;
  /** Closes all open connections. */
  cut(): void;
  /** Stops forwarding bytes of open and new connections, until `goOn`. No connection ends. */
  hang(): void;
  goOn(): void;
}

/** Forwards bytes between a client and an engine, over a Unix socket or TCP like the engine. */
export async function byteRelay(engineHost: string): Promise<ByteRelay> {
  const directory = await temporaryDirectory();
  const { protocol, hostname, port, pathname } = new URL(engineHost);
  const isUnix = protocol === "unix:";
  const pairs = new Set<readonly [near: Socket, far: Socket]>();
  let hanging = false;

  const server = createServer((near) => {
    const far = isUnix ? connect(pathname) : connect(Number(port), hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on("error", () => undefined);
      // When one of the two sockets was reset, the other one stays open.
      socket.once("close", () => pair.every(({ closed }) => closed) && pairs.delete(pair));
    }
    if (!hanging) pass(pair);
  });
  const at = isUnix ? join(directory.path, "s") : { host: "127.0.0.1", port: 0 };
  await new Promise<void>((resolve) => server.listen(at, resolve));

  function cut(): void {
    for (const socket of [...pairs].flat()) socket.destroy();
  }

  return {
    host: isUnix ? `unix://${at}` : `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    hang: () => {
      hanging = true;
      for (const socket of [...pairs].flat()) socket.unpipe().pause();
    },
    goOn: () => {
      hanging = false;
      for (const pair of pairs) pass(pair);
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
      await directory[Symbol.asyncDispose]();
    },
  };
}

function pass([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far).pipe(near);
}
