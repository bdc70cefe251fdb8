import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  readonly port: number;
  /** Closes each connection at the server's next response, which is dropped; new connections work. */
  cutAtNextAnswer(): void;
  /** Stops forwarding on the existing connections without closing them; new connections work. */
  silence(): void;
  /** The number of accepted connections. */
  taken(): number;
  close(): Promise<void>;
}

/** A proxy before a server on loopback that simulates network failures. */
export async function cuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const pairs = new Set<{ near: Socket; far: Socket; cuts: boolean; isSilent: boolean }>();
  let taken = 0;
  const server = createServer((near) => {
    taken++;
    const pair = { near, far: connect(serverPort, "127.0.0.1"), cuts: false, isSilent: false };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      pair.far.destroy();
    };
    near.on("data", (bytes) => void (pair.isSilent || pair.far.write(bytes)));
    pair.far.on("data", (bytes) => {
      if (pair.cuts) end();
      else if (!pair.isSilent) near.write(bytes);
    });
    for (const socket of [near, pair.far]) socket.on("close", end).on("error", end);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The proxy has no port.");

  return {
    port: address.port,
    cutAtNextAnswer: () => {
      for (const pair of pairs) pair.cuts = true;
    },
    silence: () => {
      for (const pair of pairs) pair.isSilent = true;
    },
    taken: () => taken,
    close: async () => {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
