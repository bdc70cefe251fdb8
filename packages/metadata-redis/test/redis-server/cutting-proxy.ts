import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  readonly port: number;
  /** Cuts each connection at the server's next answer, which is not passed on; new connections work. */
  cutAtNextAnswer(): void;
  /** Passes nothing on any more over the connections that there are, without ending them; new connections work. */
  silence(): void;
  /** How many connections it has taken. */
  taken(): number;
  close(): Promise<void>;
}

/** Stands before a server on loopback and loses what a network can lose. */
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
